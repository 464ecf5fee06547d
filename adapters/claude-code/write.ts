import { join } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import type { JsonObject } from '#lib/json.ts';
import type { Entry } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import { plainText } from '#session/record.ts';
import type { WriteInput, Written } from '../adapter.ts';
import { boundaryLine, splitLead, summaryLine } from './checkpoint.ts';
import { resumeCommand } from './launch.ts';
import { createLines } from './lines.ts';
import { createLosses } from './losses.ts';
import { projectPath } from './native.ts';
import { hiddenLine, messageLines, type Writing } from './replies.ts';

const LAST_PROMPT_MAX = 200;

/** A session of another agent as one of this client's own: one linear chain, the form that the client was seen to accept whole. */
export async function write(input: WriteInput): Promise<Written> {
  const { target, fitted } = input;
  if (!fitted.history.length && !fitted.lead.length && !fitted.tail.length)
    throw new RelayError('nothing-to-import', 'This session holds no message that could be imported.');
  const path = join(projectPath(target.where, target.cwd), `${target.id}.jsonl`);
  const loss: Loss[] = [];
  const lines = {
    *[Symbol.iterator](): Generator<string> {
      loss.length = 0;
      for (const line of sessionLines(input, loss)) yield JSON.stringify(line);
    },
  };
  return { files: [{ path, lines }], appends: [], loss, session: target.id, path, resume: resumeCommand(target.id, target.cwd) };
}

function* sessionLines(input: WriteInput, loss: Loss[]): Generator<JsonObject> {
  const { target, card, fitted, orientation } = input;
  const all = [fitted.history, fitted.lead, fitted.tail];
  const started = all.flatMap((list) => list.slice(0, 1)).find((entry) => entry.time)?.time ?? card.created;
  const lines = createLines(target, 'entry', null, Number.isNaN(Date.parse(started)) ? target.now.toISOString() : new Date(started).toISOString());
  const losses = createLosses(loss);
  const w: Writing = { session: target.id, agent: card.agent, cwds: ['', '.', target.cwd, card.cwd], lines, losses, ids: new Set(), part: new Set(), reply: 0 };
  if (fitted.lead.length) {
    yield* messageLines(fitted.history, w);
    const { summary, rest } = splitLead(fitted.lead);
    const time = fitted.history.at(-1)?.time;
    yield boundaryLine(lines, fitted, time);
    yield summaryLine(lines, orientation, summary, time);
    w.part = new Set();
    yield* messageLines([...rest, ...fitted.tail], w);
  } else {
    if (orientation.trim() !== '') yield hiddenLine(lines, orientation);
    else if (all.flat()[0]?.role === 'assistant') {
      losses.note(undefined, 'first-message', 'added', 'the conversation begins with a reply; the API asks for a message of the user first');
      yield hiddenLine(lines, '[The record of this conversation begins with a reply of the assistant.]');
    }
    yield* messageLines(all.flat(), w);
  }
  yield* tailLines(input, lines.last);
  losses.close();
}

/** State lines that the client keeps at the end: where the branch ends, the title, a tag that shows where it came from. */
function* tailLines({ target, fitted }: WriteInput, leaf: string | null): Generator<JsonObject> {
  const prompt = [fitted.tail, fitted.lead, fitted.history].map(lastPrompt).find((text) => text !== undefined);
  if (leaf !== null) yield { type: 'last-prompt', lastPrompt: prompt ?? '', leafUuid: leaf, sessionId: target.id };
  if (target.title.trim() !== '') yield { type: 'custom-title', customTitle: target.title, sessionId: target.id };
  yield { type: 'tag', tag: 'relay', sessionId: target.id };
}

/** What a person asked last, as the client keeps it for its list. */
export function lastPrompt(entries: readonly Entry[]): string | undefined {
  const entry = entries.findLast((e) => e.role === 'user' && e.origin === 'person');
  return entry && plainText(entry.content).slice(0, LAST_PROMPT_MAX);
}
