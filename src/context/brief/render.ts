import { code, longestRun } from './cite.ts';
import { withinRoom } from './room.ts';
import type { Brief, FilePoint, Point } from './value.ts';

/** What the document says of itself. */
export interface Head {
  /** a draft is what a rule has made; verified: a person has confirmed it */
  status: 'draft' | 'verified';
  /** e.g. ann-3f9c02/codex-…@3; absent for a session that is not stored */
  handoff?: string;
}

/**
 * The brief as a document (handoff.md): front matter, then the fixed sections; an empty one says "none". What was said stands there as it was: on a line of
 * its own behind a bullet, or in a fence where it has several lines, so that no heading, list or front matter in it counts as one of the document's.
 */
export function render(brief: Brief, head: Head): string {
  return documentOf(
    withinRoom(brief, (one) => Buffer.byteLength(documentOf(one, head))),
    head,
  );
}

function documentOf(brief: Brief, head: Head): string {
  const sections: [string, string[]][] = [
    ['Requests & Intent', list(brief.requests)],
    ['Decisions & Constraints', [...list(brief.decisions), ...under('Ruled out', list(brief.rejected))]],
    ['Files & Artifacts', [...list(brief.files), ...under('Checks, the last run of each', brief.checks.map(checkLine))]],
    ['Errors & Fixes', list(brief.errors)],
    ['Current State', list(brief.state)],
    ['Pending', [...list(brief.pending), ...under('Open questions', list(brief.questions))]],
    ['Next', list(brief.next)],
    ['Source Limitations', list(brief.limitations)],
    ['User Corrections', list(brief.corrections)],
  ];
  const body = sections.map(([title, lines]) => `## ${title}\n\n${lines.length ? lines.join('\n') : 'none'}\n`);
  return `${frontMatter(brief, head)}\n${body.join('\n')}`;
}

function frontMatter({ source, state }: Brief, { status, handoff }: Head): string {
  const last = state[0]?.text ?? '';
  const fields: [string, string][] = [
    ['status', status],
    ['source_agent', source.agent],
    ['session', source.session],
    ...(handoff ? [['handoff', handoff] as [string, string]] : []),
    ['working_directory', source.cwd],
    ['last_used', source.last],
    ['last_status', last],
  ];
  return `---\n${fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join('\n')}\n---\n`;
}

const list = (points: readonly (Point | FilePoint)[]): string[] => points.map(pointLine);

const under = (title: string, lines: string[]): string[] => (lines.length ? ['', `### ${title}`, '', ...lines] : []);

function pointLine({ text, cites, mark, origin }: Point): string {
  const behind = [mark, origin === 'document' ? `from the pasted document (${cites.join(', ')})` : cites.length ? `(${cites.join(', ')})` : '']
    .filter(Boolean)
    .join(' ');
  if (!text.includes('\n')) return `- ${text}${behind ? ` ${behind}` : ''}`;
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `- ${behind}:\n\n${fence}text\n${text}\n${fence}`;
}

const RESULT = { passed: 'passed', failed: 'failed', running: 'not seen to end', unknown: 'ended without a clear result' } as const;

function checkLine({ command, cite, result, numbers, afterLastEdit }: Brief['checks'][number]): string {
  const figures = numbers.length ? `: ${numbers.join(', ')}` : '';
  return `- ${code(command.replace(/\s+/g, ' '))} ${result === 'unknown' && figures ? 'gave' : RESULT[result]}${figures}${afterLastEdit ? '' : '; files were changed after it'} (${cite})`;
}
