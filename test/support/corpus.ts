import { seeded } from './generate.ts';
import type { LabelledLine, Path } from './leaks.ts';
import { sample } from './samples.ts';
import { below, code, diff, drawn, hex, type Maker, output, pick, prose, uuid } from './texts.ts';

type Secret = LabelledLine['secrets'][number];
interface Presented {
  context: string;
  text: string;
  secret?: Secret;
}
interface Kind {
  kind: string;
  tier: number;
  present(made: Maker): Presented;
}

const fill = (made: Maker, template: string): string => sample(template, (n) => below(made, n));

/** Ways in which people and programs write a value down with its name. */
const NAMED: Record<string, (name: string, value: string) => string> = {
  'environment file': (name, value) => `PORT=8080\n${name}=${value}\nLOG_LEVEL=info\n`,
  export: (name, value) => `$ export ${name}='${value}' && make deploy`,
  JSON: (name, value) => JSON.stringify({ region: 'eu', [name.toLowerCase()]: value }, null, 2),
  'JSON in a string': (name, value) => `sent ${JSON.stringify(JSON.stringify({ [name.toLowerCase()]: value }))}`,
  YAML: (name, value) => `service:\n  ${name.toLowerCase()}: ${value}\n  replicas: 2\n`,
  'YAML list': (name, value) => `env:\n  - name: ${name}\n    value: "${value}"\n`,
  code: (name, value) => `client = Client(${name.toLowerCase()}="${value}", timeout=30)`,
  diff: (name, value) => `@@ -1,2 +1,2 @@\n PORT=8080\n-${name}=\n+${name}=${value}\n`,
  numbered: (name, value) => `     1\tPORT=8080\n     2\t${name}=${value}\n`,
  log: (name, value) => `2026-03-04T10:11:12Z DEBUG start ${name.toLowerCase()}=${value} retries=3`,
  colours: (name, value) => `\u001b[36m${name}\u001b[39m=\u001b[32m${value}\u001b[39m`,
};
/** Ways in which a value stands alone; only its own shape tells what it is. */
const BARE: Record<string, (name: string, value: string) => string> = {
  prose: (_name, value) => `the key is ${value}, please keep it`,
  backticks: (_name, value) => `I used \`${value}\` as you said.`,
  'table row': (name, value) => `| ${name} | ${value} | prod |`,
  query: (_name, value) => `GET https://api.corp.example/v1?since=3&access_token=${value}&full=1 200`,
  alone: (_name, value) => value,
};

const presented =
  (ways: typeof NAMED, name: string, mark: string, template: string) =>
  (made: Maker): Presented => {
    const core = fill(made, template);
    const context = pick(made, Object.keys(ways));
    return { context, text: (ways[context] as (name: string, value: string) => string)(name, mark + core), secret: { value: mark + core, core } };
  };
const token = (kind: string, name: string, mark: string, template: string): Kind => ({
  kind,
  tier: 1,
  present: presented({ ...NAMED, ...BARE }, name, mark, template),
});
const named = (kind: string, name: string, template: string): Kind => ({ kind, tier: 2, present: presented(NAMED, name, '', template) });
/** A text of its own; `#` stands for the secret. */
const within = (kind: string, template: string, ...texts: string[]): Kind => ({
  kind,
  tier: 2,
  present(made) {
    const value = fill(made, template);
    return { context: 'its own', text: pick(made, texts).replace('#', value), secret: { value, core: value } };
  },
});

function key(made: Maker): Presented {
  const dashes = '-'.repeat(5);
  const label = pick(made, ['RSA PRIVATE KEY', 'PRIVATE KEY', 'EC PRIVATE KEY']);
  const body = `MI${fill(made, '{b64700}')}`;
  const block = [`${dashes}BEGIN ${label}${dashes}`, ...(body.match(/.{1,64}/g) as string[]), `${dashes}END ${label}${dashes}`].join('\n');
  const context = pick(made, ['whole', 'escaped', 'cut off']);
  const text =
    context === 'escaped' ? `KEY="${block.replaceAll('\n', '\\n')}"` : context === 'cut off' ? `${block.slice(0, 500)}\n[cut]` : `$ cat key.pem\n${block}\n`;
  return { context, text, secret: { value: block, core: context === 'cut off' ? body.slice(2, 400) : body.slice(2), pem: true } };
}

const SECRETS: readonly Kind[] = [
  token('github', 'GITHUB_TOKEN', 'ghp_', '{an36}'),
  token('gitlab', 'GITLAB_TOKEN', 'glpat-', '{an20}'),
  token('npm', 'NPM_TOKEN', 'npm_', '{an36}'),
  token('google', 'GOOGLE_API_KEY', 'AIza', '{url35}'),
  token('anthropic', 'ANTHROPIC_API_KEY', 'sk-ant-api03-', '{url93}AA'),
  token('slack', 'SLACK_TOKEN', 'xoxb-', '{dig12}-{dig12}-{an24}'),
  token('stripe', 'STRIPE_KEY', 'sk_live_', '{an24}'),
  token('sendgrid', 'SENDGRID_API_KEY', 'SG.', '{url22}.{url43}'),
  token('vault', 'VAULT_TOKEN', 'hvs.', '{an95}'),
  token('hugging face', 'HF_TOKEN', 'hf_', '{an34}'),
  named('password', 'DB_PASSWORD', '{an10}-9x'),
  named('secret', 'CLIENT_SECRET', '{an32}'),
  named('hex key', 'ENCRYPTION_KEY', '{hex64}'),
  within('database URL', '{an16}', 'DATABASE_URL=postgres://app:#@db-1.internal:5432/ledger', 'redis://:#@cache.internal:6379/0 ok'),
  within('bearer', '4{url42}', 'curl -H "Authorization: Bearer #" https://api.corp.example/', '{"headers":{"authorization":"Bearer #"}}'),
  within('command line', '{an14}9', "sshpass -p '#' ssh ops@10.0.0.4 uptime", 'docker login -u ci --password # registry.corp.example'),
  within('cookie', '{hex40}', 'Cookie: theme=dark; session=#; lang=en', 'Set-Cookie: sessionid=#; Path=/; HttpOnly'),
  within('netrc', 'Q7{an14}', 'machine git.corp.example login ann password #'),
  { kind: 'private key', tier: 1, present: key },
];

const plain = (kind: string, present: (made: Maker) => string): Kind => ({ kind, tier: 0, present: (made) => ({ context: 'plain', text: present(made) }) });
const NEGATIVES: readonly Kind[] = [
  plain('code', code),
  plain('diff', diff),
  plain('output', output),
  plain('prose', prose),
  plain('digests', (made) => `commit ${hex(made, 40)}\nindex ${hex(made, 7)}..${hex(made, 7)}\nsha256:${hex(made, 64)}  token.ts`),
  plain('ids', (made) => JSON.stringify({ tool_use_id: `toolu_01${fill(made, '{an22}')}`, call_id: `call_${fill(made, '{an24}')}`, sessionId: uuid(made) })),
  plain('lock file', (made) => `"node_modules/token": {\n  "version": "6.0.0",\n  "integrity": "sha512-${fill(made, '{b6486}')}=="\n}`),
  plain('references', (made) =>
    pick(made, [
      'password: ${DB_PASSWORD}',
      'apiKey: process.env.API_KEY,',
      'token: ${{ secrets.GITHUB_TOKEN }}',
      'secret = generate_secret()',
      'const token = await getToken();',
    ]),
  ),
  plain('stand-ins', (made) =>
    pick(made, ['API_KEY=YOUR_API_KEY', 'password: changeme', 'token: <your-token-here>', 'DB_PASSWORD=', 'PASSWORD=********', 'TOKEN=[REDACTED]']),
  ),
];

interface Carried {
  record: object;
  path: Path;
  also?: Path[];
  nested?: boolean;
  frozen: Path[];
}

const claude = (made: Maker, type: string, content: unknown): object => ({
  parentUuid: uuid(made),
  type,
  uuid: uuid(made),
  sessionId: uuid(made),
  timestamp: '2026-03-01T08:00:00.000Z',
  message: { role: type, content },
});
const CLAUDE: Path[] = [['parentUuid'], ['uuid'], ['sessionId'], ['timestamp']];

/** Lines that carry a text, as agents and services write them. */
const CARRIERS: readonly ((made: Maker, text: string) => Carried)[] = [
  (made, text) => ({ record: claude(made, 'user', text), path: ['message', 'content'], frozen: CLAUDE }),
  (made, text) => ({
    record: claude(made, 'assistant', [
      { type: 'thinking', thinking: 'Let me see.', signature: `Er${fill(made, '{b64240}')}` },
      { type: 'text', text },
    ]),
    path: ['message', 'content', 1, 'text'],
    frozen: [...CLAUDE, ['message', 'content', 0, 'signature']],
  }),
  (made, text) => ({
    record: {
      ...claude(made, 'user', [{ type: 'tool_result', tool_use_id: `toolu_01${fill(made, '{an22}')}`, content: text }]),
      toolUseResult: { stdout: text },
    },
    path: ['message', 'content', 0, 'content'],
    also: [['toolUseResult', 'stdout']],
    frozen: [...CLAUDE, ['message', 'content', 0, 'tool_use_id']],
  }),
  (made, text) => ({
    record: {
      timestamp: '2026-03-01T08:00:00.000Z',
      payload: { name: 'shell', arguments: JSON.stringify({ command: ['bash', '-lc', text] }), call_id: `call_${fill(made, '{an24}')}` },
    },
    path: ['payload', 'arguments'],
    nested: true,
    frozen: [['timestamp'], ['payload', 'call_id']],
  }),
  (made, text) => ({
    record: { timestamp: '2026-03-01T08:00:00.000Z', payload: { summary: [{ text }], encrypted_content: `gAAAAA${fill(made, '{url300}')}` } },
    path: ['payload', 'summary', 0, 'text'],
    frozen: [['timestamp'], ['payload', 'encrypted_content']],
  }),
  (made, text) => ({
    record: { ts: '2026-03-01T08:00:00Z', level: 'info', trace_id: drawn(made, '0123456789abcdef', 32), msg: text },
    path: ['msg'],
    frozen: [['ts'], ['trace_id']],
  }),
];

/** Labelled lines, so many of each kind; the same for the same seed. Every value is made up from parts. */
export function corpus(seed: string, perKind: number): LabelledLine[] {
  const made: Maker = { random: seeded(seed), project: '/home/ann/project' };
  return [...SECRETS, ...NEGATIVES].flatMap(({ kind, tier, present }) =>
    Array.from({ length: perKind }, (_, n): LabelledLine => {
      const { context, text, secret } = present(made);
      const { record, ...where } = pick(made, CARRIERS)(made, text);
      return {
        id: `${kind} ${n}`,
        type: secret ? 'secret' : 'negative',
        kind,
        tier,
        context,
        secrets: secret ? [secret] : [],
        line: JSON.stringify(record),
        ...where,
      };
    }),
  );
}
