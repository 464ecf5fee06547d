import { rules as preset } from '@secretlint/secretlint-rule-preset-recommend';
import { isCommonWord, isStandIn } from '../context/judge.ts';
import type { Gated } from '../engine/layer.ts';
import { firstOf, type Hit, matchEnd } from '../engine/ranges.ts';

/**
 * secretlint's own rules, driven directly. Not through its engine: that takes time in proportion to the square of the
 * number of texts (profiler of 12.0.0), and a `secretlint-disable` in a transcript would switch it off. Each rule runs only on a
 * window around an anchor of it, and what it found is located by its data: its ranges do not always cover the secret.
 */
interface Gate {
  rule: string;
  kind: string;
  anchors: readonly string[];
  /** looked at before the rule is run */
  only?: RegExp;
  /** units after the anchor that the rule gets to see */
  after?: number;
}

/** filter-comments is the off switch, gcp looks at file names only. */
export const DROPPED: readonly string[] = ['filter-comments', 'gcp'];

const CREDENTIALS = /:\/\/[^\s/]{1,520}@/y;

export const GATES: readonly Gate[] = [
  { rule: 'aws', kind: 'aws', anchors: ['secret_access_key', 'secretaccesskey', 'secretaccess_key', 'secret_accesskey'] },
  { rule: 'privatekey', kind: 'pem', anchors: ['-----begin '], after: 12_000 },
  { rule: 'npm', kind: 'npm', anchors: ['npm_'] },
  { rule: 'basicauth', kind: 'url', anchors: ['://'], only: CREDENTIALS },
  { rule: 'database-connection-string', kind: 'db', anchors: ['://'], only: CREDENTIALS },
  { rule: 'slack', kind: 'slack', anchors: ['xoxb-', 'xoxp-', 'xapp-', 'xoxa-', 'xoxo-', 'xoxr-', 'hooks.slack.com'] },
  { rule: 'sendgrid', kind: 'sendgrid', anchors: ['sg.'] },
  { rule: 'shopify', kind: 'shopify', anchors: ['shpat_', 'shpca_', 'shppa_', 'shpss_'] },
  { rule: 'github', kind: 'gh', anchors: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'] },
  { rule: 'gitlab', kind: 'gl', anchors: ['glpat-'] },
  { rule: 'grafana', kind: 'grafana', anchors: ['glc_', 'glsa_'] },
  { rule: 'openai', kind: 'oai', anchors: ['t3blbkfj'] },
  { rule: 'anthropic', kind: 'ant', anchors: ['sk-ant-'] },
  { rule: 'groq', kind: 'groq', anchors: ['gsk_'] },
  { rule: 'huggingface', kind: 'hf', anchors: ['hf_'] },
  { rule: 'linear', kind: 'linear', anchors: ['lin_api_'] },
  { rule: 'notion', kind: 'notion', anchors: ['ntn_'] },
  { rule: '1password', kind: 'op', anchors: ['ops_ey'] },
  { rule: 'hashicorp-vault', kind: 'vault', anchors: ['hvs.', 'hvb.', 'hvr.'] },
  { rule: 'vercel', kind: 'vercel', anchors: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'] },
  { rule: 'databricks', kind: 'dbx', anchors: ['dapi'] },
  { rule: 'docker', kind: 'docker', anchors: ['dckr_pat_', 'dckr_oat_'] },
  { rule: 'figma', kind: 'figma', anchors: ['figd_'] },
];

const BEFORE = 200;
const AFTER = 2400;

interface Report {
  message: { data?: Record<string, unknown> };
  range: readonly [number, number];
}

type Run = (content: string) => Report[];

export const ruleName = (id: string): string => id.replace('@secretlint/secretlint-rule-', '');

/** A rule without the engine around it. Its reports hold values: never print one. */
function runner(rule: string): Run {
  const creator = preset.find((one) => ruleName(one.meta.id) === rule);
  if (!creator) throw new Error(`secretlint's preset has no rule ${rule}`);
  let reports: Report[] = [];
  const context = {
    createTranslator: () => (messageId: string, data?: Record<string, unknown>) => ({ messageId, message: '', ...(data ? { data } : {}) }),
    report: (report: Report) => {
      reports.push(report);
    },
    ignore: () => undefined,
    sharedOptions: {},
  };
  const made = creator.create(context as never, {} as never);
  return (content) => {
    reports = [];
    made.file?.({ content, contentType: 'text', filePath: undefined, ext: '' } as never);
    return reports;
  };
}

const USERINFO = /:\/\/[^\s:@/]{0,256}:([^\s@]{1,256})@/;
const GOES_ON = /[A-Za-z0-9_+/=-]{0,300}/y;

/** Where in `window` the secret of a report is: the password of a URL, else the value itself to the token's end. */
function locate(window: string, report: Report): [start: number, end: number] | undefined {
  const value = Object.values(report.message.data ?? {}).find((one) => typeof one === 'string' && one.length > 3) as string | undefined;
  const near = Math.max(0, report.range[0] - 2);
  if (value === undefined) return [report.range[0], report.range[1]];
  const at = window.indexOf(value, near) >= 0 ? window.indexOf(value, near) : window.indexOf(value);
  if (at < 0) return [report.range[0], report.range[1]];
  const userinfo = USERINFO.exec(value);
  if (userinfo) {
    const start = at + userinfo.index + userinfo[0].length - 1 - (userinfo[1] as string).length;
    return [start, start + (userinfo[1] as string).length];
  }
  GOES_ON.lastIndex = at + value.length;
  const more = value.includes('://') || value.startsWith('-----') ? '' : (GOES_ON.exec(window)?.[0] ?? '');
  return [at, at + value.length + more.length];
}

export interface GatedRule extends Gated {
  kind: string;
  anchors: readonly string[];
}

function windows(text: string, places: readonly number[], after: number): [number, number][] {
  const out: [number, number][] = [];
  for (const place of places) {
    const start = Math.max(0, place - BEFORE);
    const end = Math.min(text.length, place + after);
    const last = out[out.length - 1];
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else out.push([start, end]);
  }
  return out;
}

/** The hit that holds this place; behind the last where none does. */
function hitAt(found: readonly Hit[], place: number): number {
  const behind = firstOf(found.length, (i) => (found[i] as Hit).end > place);
  return (found[behind]?.start ?? place) <= place ? behind : found.length;
}

export function gatedRules(): GatedRule[] {
  return GATES.map(({ rule, kind, anchors, only, after = AFTER }) => {
    const run = runner(rule);
    return {
      kind,
      anchors,
      ...(only ? { wants: (text: string, place: number) => matchEnd(only, text, place) >= 0 } : {}),
      find(text, places, found) {
        const wanted = places.filter((place) => {
          if (!only) return !found[hitAt(found, place)];
          const end = matchEnd(only, text, place);
          return found[hitAt(found, end - 2)]?.end !== end - 1;
        });
        const hits: Hit[] = [];
        for (const [from, to] of windows(text, wanted, after)) {
          const window = from === 0 && to === text.length ? text : text.slice(from, to);
          for (const report of run(window)) {
            const found = locate(window, report);
            const value = found && window.slice(found[0], found[1]);
            if (found && value && !isStandIn(value) && !isCommonWord(value)) hits.push({ start: from + found[0], end: from + found[1], kind, rank: 1 });
          }
        }
        return hits;
      },
    };
  });
}
