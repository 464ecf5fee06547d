/** What the client wraps around the output of tools, taken off. */

/** Too long for the context: only the beginning came to the model. */
const PERSISTED = /^<persisted-output>\nOutput too large[^\n]*\n\nPreview \(first [^)\n]*\):\n/;
const PERSISTED_END = /(?:\n\.\.\.)?\n?<\/persisted-output>\s*$/;
const NO_OUTPUT = /^\((?:\w+ completed with no output|no output)\)\s*$|^Tool ran without output\s*$/;
const CWD = /\n(?:Shell|Session) cwd (?:was reset to|remains) ([^\n]*)$/;

/** What stands behind an output is looked for in so much of its end, in UTF-16 units. */
const END = 2000;

/** The output of any tool. */
export function bare(text: string): string {
  const body = PERSISTED.test(text) ? text.replace(PERSISTED, '').replace(PERSISTED_END, '') : text;
  return NO_OUTPUT.test(body) ? '' : withoutEnd(body, CWD);
}

/** Where the shell goes on, if the client says that this is not where the command left it. */
export const folderAfter = (text: string): string | undefined => CWD.exec(text.slice(-END))?.[1]?.trim() || undefined;

const withoutEnd = (text: string, end: RegExp): string => text.slice(0, -END) + text.slice(-END).replace(end, '');

const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
const NUMBERED = /^ *\d+(?:→|\t)/;

/** The lines of a file without their numbers (`     1→` up to 2.1.50, `1\t` later), and without what the client says beside them. */
export function unnumbered(text: string): string {
  if (!NUMBERED.test(text)) return text;
  const own = text.includes('<system-reminder>') ? text.replace(REMINDER, '').trimEnd() : text;
  const lines = own.split('\n');
  return lines.map((line) => line.replace(NUMBERED, '')).join('\n');
}

/** The content of the first `<name>…</name>` without the line feeds inside the marks. `whole`: up to the last closing mark, since the content is free text. */
export function tag(text: string, name: string, whole = false): string | undefined {
  const from = text.indexOf(`<${name}>`);
  if (from < 0) return undefined;
  const to = whole ? text.lastIndexOf(`</${name}>`) : text.indexOf(`</${name}>`, from);
  return to < from ? undefined : text.slice(from + name.length + 2, to).replace(/^\n|\n$/g, '');
}

const HAND_BACK = /(?:^|\n)\[Subagent hand-back\][^\n]*\n/;
const AGENT_ID = /\n?agentId: [\w@-]+ \([^\n]*\)\s*$/;
const USAGE = /\n?<usage>[\s\S]*<\/usage>\s*$/;

/** What another agent reports, without the frame, its indentation and the account of its tokens. */
export function agentReport(text: string): string {
  const body = withoutEnd(withoutEnd(text, USAGE), AGENT_ID);
  const head = HAND_BACK.exec(body);
  if (!head) return body;
  return body
    .slice(head.index + head[0].length)
    .split('\n')
    .map((line) => line.replace(/^ {2}/, ''))
    .join('\n');
}
