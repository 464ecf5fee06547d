import { sourceLine } from '#session/codec.ts';
import type { Loss } from '#session/loss.ts';
import type { OutFile, RestoreInput, Written } from '../adapter.ts';
import { sessionPath } from './native.ts';
import { entryLines, resume } from './write.ts';

/** The session's own lines under a new id and folder (see Adapter.restore). Everything else that differs is a line of the loss report. */
export async function restore(input: RestoreInput): Promise<Written> {
  const { target } = input;
  const loss: Loss[] = [];
  const main: OutFile = { path: sessionPath(target.where, target.id) };
  main.lines = lines(input, main, loss);
  return { files: [main], appends: [], loss, session: target.id, path: main.path, resume: resume(target.id, target.cwd) };
}

async function* lines(input: RestoreInput, main: OutFile, loss: Loss[]): AsyncGenerator<string | Buffer> {
  const { target, card, more } = input;
  let n = 0;
  for await (const record of input.records('main')) {
    const line = sourceLine(record);
    if (record.eol === false) main.eol = false;
    yield typeof line === 'string' ? moved(line, input) : line;
    n++;
  }
  if (more?.entries.length || input.orientation) main.eol = true;
  // A client with compactions gets its own mark here when `await input.checkpoint()` asks for one.
  if (more?.entries.length) {
    loss.push({ record: null, kind: 'continued', action: 'added', reason: `What was said in ${more.card.agent} follows the session's own ${n} lines.` });
    yield* entryLines(more.entries, target, loss);
  }
  if (input.orientation) {
    loss.push({ record: null, kind: 'orientation', action: 'added', reason: 'A message at the end tells the model about the move.' });
    const said = { role: 'user' as const, content: [{ type: 'text' as const, text: input.orientation }], stream: 'main', record: -1, origin: 'relay' as const };
    yield* entryLines([{ ...said, time: card.updated }], target, loss);
  }
}

/** Only a sketch: a real adapter finds whole components of paths and all forms in which its client writes them. */
const moved = (line: string, { card, target }: RestoreInput): string =>
  line.replaceAll(card.id, target.id).replaceAll(`"cwd":${JSON.stringify(card.cwd)}`, `"cwd":${JSON.stringify(target.cwd)}`);
