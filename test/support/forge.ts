import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

export const TIME = '2026-11-29T10:00:00.000Z';

/** Content of a tree: text is a file, an object a folder, an entry of its own mode anything else. */
export interface Folder {
  [name: string]: string | Folder;
}

/** Puts objects and refs into a bare repository that no relay would make, as somebody else with push rights could. */
export function forge(remote: string) {
  const cards: Record<string, string> = {};
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  const git = (args: string[], input?: string | Buffer): string =>
    execFileSync('git', ['--git-dir', remote, ...args], { env, input: input ?? '', maxBuffer: 1 << 28 })
      .toString()
      .trim();
  const write = (type: string, bytes: string | Buffer): string => git(['hash-object', '-w', '-t', type, '--literally', '--stdin'], bytes);
  const tree = (folder: Folder): string => {
    const entries = Object.entries(folder).map(([name, value]) =>
      typeof value === 'string' ? { mode: '100644', name, key: name, id: write('blob', value) } : { mode: '40000', name, key: `${name}/`, id: tree(value) },
    );
    entries.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
    return write('tree', Buffer.concat(entries.map(({ mode, name, id }) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]))));
  };
  const commit = (folder: Folder): string =>
    write('commit', `tree ${tree(folder)}\nauthor Eve <e@e> 1795000000 +0000\ncommitter Eve <e@e> 1795000000 +0000\n\nrelay: x\n`);
  const ref = (name: string, id: string): string => git(['update-ref', name, id]);
  return {
    commit,
    ref,
    /** A handoff of eve-000000's with its card; `over` replaces parts of the card. */
    handoff(session: string, folder: Folder, over: object = {}): void {
      const id = commit(folder);
      ref(`refs/relay/s/eve-000000/${session}`, id);
      cards[session] = JSON.stringify({
        ...{
          version: 1,
          commit: id,
          agent: 'claude-code',
          session: `11111111-${session}`,
          title: 't',
          author: 'Eve',
          updated: new Date().toISOString(),
          records: 2,
        },
        ...over,
      });
      const index: Folder = {};
      for (const [name, card] of Object.entries(cards)) {
        const short = createHash('sha256').update(name).digest('hex').slice(0, 2);
        index[short] = { ...(index[short] as Folder | undefined), [`${name}.json`]: card };
      }
      ref('refs/relay/index/eve-000000', commit({ cards: index }));
    },
  };
}

const SESSION = { id: '11111111-1111-4111-8111-111111111111', title: 't', created: TIME, updated: TIME, cwd: '${PROJECT}' };

/** A sound session.json of two records, with parts of it replaced. */
export const manifest = (session: string, over: object = {}): Record<string, unknown> => ({
  ...{ format: 'relay-session', format_version: 1, relay: '0', handoff: `eve-000000/${session}`, version: 1 },
  ...{ agent: { id: 'claude-code', version: '2.1' }, session: SESSION, author: { name: 'Eve' }, code: { commit: null, tree: null, branch: null } },
  ...{ streams: [{ name: 'main', records: 2, bytes: 10, segments: [[2, 10]] }], files: [], leftOut: [], records: 2 },
  ...{ redactions: { total: 0, byKind: {}, engine: 'e' }, card: { agent: 'claude-code', session: SESSION.id, title: 't', author: 'Eve', updated: TIME } },
  ...over,
});

/** The session part of a manifest, with parts of it replaced. */
export const session = (over: object): object => ({ ...SESSION, ...over });

/** A record line of a Claude Code message. */
export const line = (n: number, role = 'user', over: object = {}): string =>
  JSON.stringify({
    ...{ type: 'message', role, content: [{ type: 'text', text: `hello ${n}` }] },
    native: {
      ...{ type: role, uuid: `00000000-0000-4000-8000-00000000000${n}`, parentUuid: null, cwd: '${PROJECT}', sessionId: SESSION.id },
      ...{
        timestamp: TIME,
        version: '2.1.0',
        isSidechain: false,
        message: { role, content: role === 'user' ? `hello ${n}` : [{ type: 'text', text: `hello ${n}` }] },
      },
    },
    ...over,
  });

/** The folder of a version. */
export function version(made: object, lines: string[] = [line(1), line(2, 'assistant')], more: Folder = {}): Folder {
  const header = JSON.stringify({ type: 'stream', format: 'relay-session', version: 1, stream: 'main', agent: 'claude-code' });
  return {
    'session.json': JSON.stringify(made),
    'files.json': '{"head":null,"files":[]}',
    transcript: { main: { '000': { '000000.jsonl': `${[header, ...lines].join('\n')}\n` } } },
    ...more,
  };
}
