import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

/** A seeded stream of numbers in [0, 1), so that generated sessions are the same on every machine. */
export function seeded(seed: string): () => number {
  let block = createHash('sha256').update(seed).digest();
  let at = 0;
  return () => {
    if (at + 4 > block.length) {
      block = createHash('sha256').update(block).digest();
      at = 0;
    }
    const value = block.readUInt32LE(at);
    at += 4;
    return value / 2 ** 32;
  };
}

const WORDS =
  'return const value index function export import session record stream buffer offset length await async error result path file line number string object array parse write read open close test expect describe run build check commit branch merge remote fetch push pull snapshot segment attachment 会话 记录 文件 结果 错误 测试'.split(
    ' ',
  );

/** About `bytes` characters of text that looks like code: words, numbers, punctuation, line feeds. */
export function codeText(random: () => number, bytes: number): string {
  const parts: string[] = [];
  let size = 0;
  let column = 0;
  while (size < bytes) {
    const word = WORDS[Math.floor(random() * WORDS.length)] as string;
    const piece = random() < 0.2 ? `${word}${Math.floor(random() * 1e6)}` : word;
    const end = column > 70 ? ';\n  ' : random() < 0.15 ? '(' : random() < 0.1 ? ') ' : ' ';
    parts.push(piece, end);
    column = end.includes('\n') ? 0 : column + piece.length + 1;
    size += piece.length + end.length;
  }
  return parts.join('');
}

const uuid = (random: () => number): string => 'xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.floor(random() * 16).toString(16));

export interface Shape {
  sessionId: string;
  cwd: string;
  turns: number;
  /** characters of each tool result */
  resultSize: number;
  seed?: string;
  start?: number;
  /** Claude Code: the entry that the first turn answers */
  parent?: string | null;
  /** Codex: ordinal of the first line; undefined for a rollout that does not number its lines */
  ordinal?: number | undefined;
}

/** Lines of a Claude Code session: per turn a prompt, a thought in words, one Bash call, its result and an answer. */
export function* claudeTurns(shape: Shape): Generator<string> {
  const random = seeded(shape.seed ?? shape.sessionId);
  let parent: string | null = shape.parent ?? null;
  let clock = shape.start ?? Date.parse('2026-03-01T08:00:00.000Z');
  const line = (type: 'user' | 'assistant', message: object, extra: object = {}): string => {
    const id = uuid(random);
    clock += 1000;
    const record = {
      parentUuid: parent,
      isSidechain: false,
      type,
      message,
      uuid: id,
      timestamp: new Date(clock).toISOString(),
      userType: 'external',
      entrypoint: 'cli',
      cwd: shape.cwd,
      sessionId: shape.sessionId,
      version: '2.1.332',
      gitBranch: 'main',
      ...extra,
    };
    parent = id;
    return JSON.stringify(record);
  };
  for (let turn = 0; turn < shape.turns; turn++) {
    const reply = (group: number, block: object) => ({
      id: `msg_${turn}_${group}_${shape.sessionId.slice(0, 8)}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [block],
      stop_reason: null,
      stop_sequence: null,
    });
    const call = `toolu_${turn}x${Math.floor(random() * 1e9).toString(36)}`;
    yield line('user', { role: 'user', content: `Turn ${turn}: please look at module ${Math.floor(random() * 1000)}. ${codeText(random, 120)}` });
    yield line('assistant', reply(0, { type: 'text', text: `I look at it now (${turn}).` }));
    yield line(
      'assistant',
      reply(0, { type: 'tool_use', id: call, name: 'Bash', input: { command: `cat src/module-${turn}.ts`, description: 'Show the module' } }),
    );
    const output = codeText(random, shape.resultSize);
    yield line(
      'user',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: output, is_error: false }] },
      { sourceToolAssistantUUID: parent },
    );
    yield line('assistant', reply(1, { type: 'text', text: `Module ${turn} is fine. ${codeText(random, 200)}` }));
  }
}

/** Lines of a Codex rollout (without its first): per turn a prompt, a command with its output, and an answer. */
export function* codexTurns(shape: Shape): Generator<string> {
  const random = seeded(shape.seed ?? shape.sessionId);
  let ordinal = shape.ordinal;
  let clock = shape.start ?? Date.parse('2026-03-01T08:00:00.000Z');
  const line = (type: string, payload: object): string => {
    clock += 1000;
    return JSON.stringify({ timestamp: new Date(clock).toISOString(), ...(ordinal === undefined ? {} : { ordinal: ordinal++ }), type, payload });
  };
  const said = (role: string, text: string) => ({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] });
  for (let turn = 0; turn < shape.turns; turn++) {
    const turnId = uuid(random);
    const call = `call_${turn}x${Math.floor(random() * 1e9).toString(36)}`;
    const prompt = `Turn ${turn}: please look at module ${Math.floor(random() * 1000)}. ${codeText(random, 120)}`;
    const answer = `Module ${turn} is fine. ${codeText(random, 200)}`;
    yield line('event_msg', { type: 'task_started', turn_id: turnId, model_context_window: 200000 });
    yield line('response_item', said('user', prompt));
    yield line('event_msg', userShown(shape, turnId, prompt, random));
    yield line('response_item', {
      type: 'function_call',
      name: 'exec_command',
      arguments: JSON.stringify({ cmd: `cat src/module-${turn}.ts` }),
      call_id: call,
    });
    yield line('response_item', {
      type: 'function_call_output',
      call_id: call,
      output: `Process exited with code 0\nOutput:\n${codeText(random, shape.resultSize)}`,
    });
    yield line('response_item', said('assistant', answer));
    yield line('event_msg', { type: 'task_complete', turn_id: turnId, last_agent_message: answer });
  }
}

/** What the screen shows of a prompt: another event in numbered rollouts than in plain ones. */
const userShown = (shape: Shape, turnId: string, text: string, random: () => number): object =>
  shape.ordinal === undefined
    ? { type: 'user_message', message: text, images: [] }
    : {
        type: 'item_completed',
        thread_id: shape.sessionId,
        turn_id: turnId,
        item: { type: 'UserMessage', id: uuid(random), content: [{ type: 'text', text, text_elements: [] }] },
      };

/** Writes lines to a file; answers its size in bytes. */
export function writeLines(path: string, lines: Iterable<string>, flags: 'w' | 'a' = 'w'): number {
  const file = openSync(path, flags);
  let bytes = 0;
  let pending: string[] = [];
  const flush = () => {
    const chunk = Buffer.from(pending.join(''), 'utf8');
    for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
    bytes += chunk.length;
    pending = [];
  };
  for (const line of lines) {
    pending.push(line, '\n');
    if (pending.length > 200) flush();
  }
  flush();
  closeSync(file);
  return bytes;
}
