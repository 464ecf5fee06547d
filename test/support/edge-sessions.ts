import { randomBytes } from 'node:crypto';
import { claudeTurns, codexTurns } from './generate.ts';
import type { Agent } from './layout.ts';

/** A session with something odd about it. */
export interface EdgeSession {
  name: string;
  bytes: Buffer;
  /** texts that stand in it and must arrive, whoever resumes it */
  texts: string[];
  /** folder below the project that it was recorded in */
  folder?: string;
  /** true: there is nothing in it that could be resumed, so it may be refused */
  refusable?: boolean;
  /** true: to be resumed by the real client */
  resume?: boolean;
}

interface Writer {
  user(text: string): string;
  assistant(text: string): string;
  call(id: string, command: string): string;
  result(id: string, output: string): string;
}

const TIME = '2026-03-01T08:00:00.000Z';

/**
 * Sessions in the agent's own format, each with something odd.
 * @param meta first line of a rollout to take over (Codex)
 */
export function edgeSessions(
  agent: Agent,
  place: (folder?: string) => { id: string; cwd: string },
  meta?: string,
): { id: string; cwd: string; session: EdgeSession }[] {
  const make = (name: string, build: (w: Writer, all: (lines: string[]) => string) => Omit<EdgeSession, 'name'>, folder?: string) => {
    const { id, cwd } = place(folder);
    const { writer, head } = agent === 'codex' ? codexWriter(id, cwd, meta) : claudeWriter(id, cwd);
    const all = (lines: string[]) => [...head, ...lines].map((line) => `${line}\n`).join('');
    return { id, cwd, session: { name, ...(folder ? { folder } : {}), ...build(writer, all) } };
  };
  const turns = (id: string, cwd: string) => [...(agent === 'codex' ? codexTurns : claudeTurns)({ sessionId: id, cwd, turns: 2, resultSize: 300 })];
  const plain = (w: Writer) => [w.user('Please look at the odd file.'), w.assistant('I looked at the odd file.')];
  const TEXTS = ['Please look at the odd file.', 'I looked at the odd file.'];
  const bytes = (text: string) => Buffer.from(text, 'utf8');
  const long = `begin-of-it ${'a long line 行 '.repeat(800_000)} end-of-it`;
  return [
    make('an empty file', () => ({ bytes: Buffer.alloc(0), texts: [], refusable: true })),
    make('nothing but line feeds', () => ({ bytes: bytes('\n\n\n'), texts: [], refusable: true })),
    make('one message', (w, all) => ({ bytes: bytes(all([w.user('The only message.')])), texts: ['The only message.'], resume: true })),
    make('only tool calls', (w, all) => ({
      bytes: bytes(all([w.call('c1', 'ls -a'), w.result('c1', 'one two'), w.call('c2', 'ls -b')])),
      texts: ['ls -a', 'one two', 'ls -b'],
    })),
    make('only assistant messages', (w, all) => ({
      bytes: bytes(all([w.assistant('First words.'), w.assistant('Second words.')])),
      texts: ['First words.', 'Second words.'],
    })),
    make('a torn last line', (w, all) => ({ bytes: bytes(all([...plain(w), w.user('torn')])).subarray(0, -40), texts: TEXTS, resume: true })),
    make('a last line torn within a character', (w, all) => {
      const whole = bytes(all([...plain(w), w.user('会会会会')]));
      return { bytes: whole.subarray(0, whole.lastIndexOf(bytes('会')) + 1), texts: TEXTS };
    }),
    make('a last line without line feed', (w, all) => ({ bytes: bytes(all(plain(w))).subarray(0, -1), texts: TEXTS })),
    make('binary garbage', () => ({ bytes: randomBytes(5000), texts: [], refusable: true })),
    make('binary garbage between lines', (w, all) => ({
      bytes: Buffer.concat([bytes(all(plain(w))), randomBytes(300), bytes('\n'), bytes(`${w.assistant('After the garbage.')}\n`)]),
      texts: TEXTS,
    })),
    make('invalid UTF-8 in a text', (w, all) => {
      const text = bytes(all([...plain(w), w.user('broken#here')]));
      text[text.lastIndexOf('#')] = 0xff;
      return { bytes: Buffer.concat([text, bytes(`${w.assistant('After the broken one.')}\n`)]), texts: TEXTS };
    }),
    make('a byte order mark', (w, all) => ({ bytes: bytes(`\ufeff${all(plain(w))}`), texts: TEXTS })),
    make('CRLF', (w, all) => ({ bytes: bytes(all(plain(w)).replaceAll('\n', '\r\n')), texts: TEXTS, resume: true })),
    make('NUL bytes', (w, all) => ({
      bytes: Buffer.concat([bytes(all(plain(w))), Buffer.alloc(4096), bytes('\n'), bytes(`${w.user('with \0 inside').replaceAll('\0', '\\u0000')}\n`)]),
      texts: TEXTS,
    })),
    make('lone surrogates', (w, all) => ({
      bytes: bytes(all([...plain(w), w.user('half @').replace('@', '\\ud83d'), w.assistant('other @').replace('@', '\\ude00')])),
      texts: [...TEXTS, 'half ', 'other '],
      resume: true,
    })),
    make('blank lines and odd records between', (w, all) => ({
      bytes: bytes(all(['', '   ', '[]', '1', 'null', '{}', '{"type":"from-the-future","n":1.0}', ...plain(w), ''])),
      texts: TEXTS,
    })),
    make('a line of 12 MB', (w, all) => ({
      bytes: bytes(all([...plain(w), w.call('c1', 'cat it'), w.result('c1', long), w.assistant('That was long.')])),
      texts: [...TEXTS, 'begin-of-it', 'end-of-it', 'That was long.'],
    })),
    make(
      'whole turns in a Chinese folder with an emoji and more than 200 characters',
      (_w, all) => {
        const folder = FOLDER;
        const { id, cwd } = place(folder);
        return { bytes: bytes(all(turns(id, cwd))), texts: ['Turn 0: please', 'Module 1 is fine.'], resume: true };
      },
      FOLDER,
    ),
  ];
}

/** Components stay below the 255 bytes that file systems take. */
const FOLDER = `工作区 😀/${'很长的文件夹'.repeat(12)}/${'long-'.repeat(30)}/${'更'.repeat(40)}`;

function claudeWriter(id: string, cwd: string): { writer: Writer; head: string[] } {
  let parentUuid: string | null = null;
  const line = (type: string, message: object): string => {
    const uuid = crypto.randomUUID();
    const text = JSON.stringify({
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: id,
      version: '2.1.332',
      gitBranch: 'main',
      type,
      message,
      uuid,
      timestamp: TIME,
    });
    parentUuid = uuid;
    return text;
  };
  const reply = (block: object) =>
    line('assistant', {
      id: `msg_${randomBytes(8).toString('hex')}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [block],
      stop_reason: null,
      stop_sequence: null,
    });
  return {
    head: [],
    writer: {
      user: (text) => line('user', { role: 'user', content: text }),
      assistant: (text) => reply({ type: 'text', text }),
      call: (call, command) => reply({ type: 'tool_use', id: `toolu_${call}`, name: 'Bash', input: { command } }),
      result: (call, content) => line('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${call}`, content }] }),
    },
  };
}

function codexWriter(id: string, cwd: string, meta: string | undefined): { writer: Writer; head: string[] } {
  const line = (type: string, payload: object) => JSON.stringify({ timestamp: TIME, type, payload });
  const { history_base: _, parent_thread_id: __, ...recorded } = meta ? JSON.parse(meta).payload : { originator: 'codex_cli_rs', cli_version: '0.171.0' };
  const head = line('session_meta', { ...recorded, id, session_id: id, timestamp: TIME, cwd, source: 'cli', thread_source: 'user', history_mode: 'legacy' });
  const said = (role: string, type: string, text: string) => line('response_item', { type: 'message', role, content: [{ type, text }] });
  return {
    head: [head],
    writer: {
      user: (text) => said('user', 'input_text', text),
      assistant: (text) => said('assistant', 'output_text', text),
      call: (call, command) =>
        line('response_item', { type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd: command }), call_id: `call_${call}` }),
      result: (call, output) => line('response_item', { type: 'function_call_output', call_id: `call_${call}`, output }),
    },
  };
}
