/** A short output is looked at as a whole, of a longer one the end. In lines. */
const SHORT = 15;
const TAIL = 8;
/** In UTF-16 units. */
const LINE_MAX = 160;
const RESULTS_MAX = 5;
const SIZES_MAX = 5;
/** Shorter runs are not worth their time. In seconds. */
const TIME_MIN = 5;

/** A name with its figure: `mismatches: 17`, `auc 0.8191 +- 0.0043`, `差异：27`. */
const NAMED =
  /^\W{0,4}[\p{L}][\p{L}\p{N} _.@/()%-]{0,40}(?:[:=：] *[~≈$€¥£]?-?\d[\d.,]*(?![\d.,]*[:/-]\d)|\s+-?\d+\.\d{2,}(?![.\d]))(?:\s?(?:[\p{L}%µ/]{1,12}|±|\+\/?-)(?: ?[\d.,]+)?)?(?:\s*[(,;|].*)?$/u;
/** Lines of a log, which have figures of their own. */
export const isLogged = (line: string): boolean => /^\W?\d{4}-\d\d-\d\d|^\W?\d\d:\d\d:\d\d\b|^[{[]"|\blevel=|^(?:INFO|DEBUG|WARN)\b/.test(line);
/** Names of what is no result. */
const ASIDE =
  /^\W*(?:at|file|line|port|pid|ppid|uid|gid|id|version|v|listening|server|host|address|date|url|content-length|copyright|step|using|python|node|go|java|running|starting|loading|reading|writing|downloading|process|thread|real|user|sys|exit(?: code)?|code|status|revision|release|build|commit|make|npm|traceback|warning|error)\b/i;
const FRAMES = /^\s*(?:at |File "|#\d+ |\d+[:|] |[<{[}\]]|\$ |> |\+ |make: |make\[|npm )|\w+\(.*\) *[{:]?$|https?:\/\//;

/**
 * The lines at the end of an output that give results in no way of a known tool, at most five.
 * @param loosely any last line with a figure counts, where nothing names one
 */
export function resultsIn(lines: readonly string[], loosely: boolean): string[] {
  const near = (lines.length <= SHORT ? lines : lines.slice(-TAIL)).filter(
    (line) => line.length <= LINE_MAX && /\d/.test(line) && !isLogged(line) && !FRAMES.test(line),
  );
  const named = near.filter((line) => NAMED.test(line) && !ASIDE.test(line));
  if (named.length || !loosely) return named.slice(-RESULTS_MAX);
  return near.filter((line) => /\p{L}{2}/u.test(line) && !ASIDE.test(line)).slice(-2);
}

const SIZE = /\d[\d.,]*\s?(?:[kKMG]i?B|B|bytes)\b/;
/** Sizes of what was only carried about. */
const CARRIED = /download|upload|transferr|fetch|resolv|sending|cached|context:|receiv|extract|\/s\b/i;

/** How large a build says that its products are, the last ones: the largest stand there, or the total. */
export const sizesIn = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.length <= LINE_MAX && SIZE.test(line) && !CARRIED.test(line)).slice(-SIZES_MAX);

const TIME =
  /\b(?:finished|done|completed?|built|compiled|duration|total(?: time)?|time|elapsed|took|ran|real|用时|耗时)\b[^\d\n]{0,24}(?:(\d+(?:\.\d+)?) ?m(?:in(?:utes?)?)?\s?)?(\d+(?:\.\d+)?) ?(?:s|sec|secs|seconds?|秒)(?![\p{L}\d])/iu;

/** How long a run says that it took, where that is long: up to the end of the figure. */
export function timeIn(lines: readonly string[]): string[] {
  for (const line of lines.slice(-TAIL * 2).toReversed()) {
    const match = line.length <= LINE_MAX ? TIME.exec(line) : null;
    if (match) return Number(match[1] ?? 0) * 60 + Number(match[2]) >= TIME_MIN ? [match[0]] : [];
  }
  return [];
}
