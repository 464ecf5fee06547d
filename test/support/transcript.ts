import { seeded } from './generate.ts';
import { sample } from './samples.ts';
import { base64, below, code, diff, drawn, hex, json, type Maker, numbered, output, pick, prose, relativePath, uuid } from './texts.ts';

export interface TranscriptShape {
  seed: string;
  /** about so many bytes of lines */
  bytes: number;
  /** the project that its paths lie in */
  project: string;
  /** a secret for every so many bytes; undefined for none */
  secretEvery?: number;
}

const SECRETS = [
  'export GITHUB_TOKEN=ghp_{an36}',
  'DB_PASSWORD={an10}-9x',
  'postgres://app:{an18}@db.internal:5432/ledger',
  'Authorization: Bearer 4{url42}',
  '"apiKey": "sk-ant-api03-{url93}AA"',
  'aws_access_key_id = AKIA{b3216}',
  'STRIPE=sk_live_{an24}',
];

/** Different secrets of a session: most are met again and again. */
const POOL = 210;
/** As they are written down in tool output. */
export const secretPool = (random: () => number): string[] =>
  Array.from({ length: POOL }, (_, i) => sample(SECRETS[i % SECRETS.length] as string, (n) => Math.floor(random() * n)));

/**
 * Lines of a long session with what sessions are full of: prose, code as tools number it, tool output, diffs, JSON in JSON,
 * base64, paths, and a secret now and then. Each line is one of Claude Code's or of Codex's. The same for the same shape.
 */
export function* transcript({ seed, bytes, project, secretEvery }: TranscriptShape): Generator<string> {
  const made: Maker = { random: seeded(seed), project };
  const pool = secretPool(made.random);
  let size = 0;
  let secrets = 0;
  const planted = (text: string): string => {
    if (!secretEvery || size < secrets * secretEvery) return text;
    secrets++;
    return `${text}\n${pick(made, pool)}\n`;
  };
  const result = (): string => planted(pick(made, [numbered, numbered, output, output, code, diff, json])(made));
  const turns = [claude(made, result), codex(made, result)];
  while (size < bytes)
    for (const line of pick(made, turns)()) {
      size += line.length + 1;
      yield line;
    }
}

function claude(made: Maker, result: () => string): () => string[] {
  const sessionId = uuid(made);
  const line = (type: string, content: unknown, more: object = {}): string =>
    JSON.stringify({
      parentUuid: uuid(made),
      isSidechain: false,
      type,
      message: { role: type, content, ...(type === 'assistant' ? { id: `msg_${hex(made, 24)}`, type: 'message', model: 'claude-opus-5-5' } : {}) },
      uuid: uuid(made),
      timestamp: '2026-03-01T08:00:00.000Z',
      userType: 'external',
      cwd: made.project,
      sessionId,
      version: '2.1.332',
      gitBranch: 'main',
      ...more,
    });
  const called = (name: string, input: object, text: string, more: object): string[] => {
    const id = `toolu_${drawn(made, 'abcdefghkmnpqrstuvwxyz23456789', 24)}`;
    return [
      line('assistant', [{ type: 'tool_use', id, name, input }]),
      line('user', [{ type: 'tool_result', tool_use_id: id, content: text, is_error: false }], { toolUseResult: more }),
    ];
  };
  const bash = (): string[] => {
    const text = result();
    return called('Bash', { command: `cd ${made.project} && npx vitest run ${relativePath(made)}` }, text, { stdout: text, stderr: '', interrupted: false });
  };
  const edit = (): string[] => {
    const [file_path, old_string, new_string] = [`${made.project}/${relativePath(made)}`, code(made), code(made)];
    const input = { file_path, old_string, new_string };
    return called('Edit', input, `The file ${file_path} has been updated.`, {
      filePath: file_path,
      oldString: old_string,
      newString: new_string,
      structuredPatch: [{ oldStart: 1, lines: diff(made).split('\n') }],
    });
  };
  const image = (): string[] => [
    line('user', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: `iVBORw0KGgo${base64(made, 40_000)}` } }]),
  ];
  const say = (): string[] => [
    line('assistant', [{ type: 'thinking', thinking: prose(made), signature: base64(made, 1000).slice(0, 600) }]),
    line('assistant', [{ type: 'text', text: prose(made) }]),
  ];
  return () => [...say(), ...pick(made, [bash, bash, bash, edit, edit, ...(made.random() < 0.1 ? [image] : [])])(), line('user', prose(made))];
}

function codex(made: Maker, result: () => string): () => string[] {
  const line = (type: string, payload: object): string => JSON.stringify({ timestamp: '2026-03-01T08:00:00.000Z', type, payload });
  return () => {
    const call_id = `call_${drawn(made, 'abcdefghkmnpqrstuvwxyzABCDEFGH23456789', 24)}`;
    const text = result();
    const command = ['bash', '-lc', `sed -n 1,200p ${relativePath(made)}`];
    return [
      line('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: prose(made) }] }),
      line('response_item', { type: 'reasoning', summary: [{ type: 'summary_text', text: prose(made) }], encrypted_content: `gAAAAA${base64(made, 2000)}` }),
      line('response_item', { type: 'function_call', name: 'shell', arguments: JSON.stringify({ command, workdir: made.project }), call_id }),
      line('response_item', {
        type: 'function_call_output',
        call_id,
        output: JSON.stringify({ output: text, metadata: { exit_code: 0, duration_seconds: 0.4 } }),
      }),
      line('event_msg', {
        type: 'token_count',
        info: { total_token_usage: { input_tokens: below(made, 1e6), cached_input_tokens: below(made, 1e6), output_tokens: below(made, 1e5) } },
      }),
      line('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: prose(made) }] }),
      line('event_msg', { type: 'agent_message', message: prose(made) }),
    ];
  };
}
