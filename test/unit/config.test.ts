import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseSettings } from '#config/file.ts';
import { accept, guard, type LoadInput, loadSettings, type Stopped } from '#config/index.ts';
import { settingPaths } from '#config/schema.ts';
import { RelayError } from '#lib/errors.ts';
import { schemaFiles } from '../../scripts/schema-files.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'relay-config-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const put = (path: string, text: string): Partial<LoadInput> => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
  return {};
};
const place = () => ({ commonDir: join(base, 'repo/.git'), state: join(base, 'state') });
const load = (more: Partial<LoadInput> = {}) =>
  loadSettings({
    env: {},
    home: join(base, 'home'),
    state: place().state,
    repository: { root: join(base, 'repo'), commonDir: join(base, 'repo/.git') },
    checks: { agents: ['claude-code', 'codex'] },
    ...more,
  });
const failure = async (work: () => unknown): Promise<RelayError> => {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(RelayError);
    return error as RelayError;
  }
  throw new Error('no error was thrown');
};

describe('layers', () => {
  it('are all absent: every setting has its default', async () => {
    expect(await load()).toEqual({
      settings: {
        store: { namespace: 'refs/relay' },
        push: { auto: false },
        pull: { days: 30 },
        link: { trailer: false },
        watch: { at: 80 },
        context: { words: { binding: [], change: [], refusal: [], deciding: [], waiting: [], done: [] } },
        share: { exclude: [] },
        agents: {},
        redact: { known: { names: [], files: [] }, rules: [], pii: [], paranoid: false, allow: { fingerprints: [], patterns: [], paths: [] } },
      },
      unaccepted: [],
    });
  });

  const steps: [string, (days: number) => Partial<LoadInput>][] = [
    ['user', (days) => put('home/.config/relay/config.jsonc', `{"pull":{"days":${days}}}`)],
    ['repository', (days) => put('repo/.relayrc', `{"pull":{"days":${days}}}`)],
    ['clone', (days) => put('repo/.git/relay/config.jsonc', `{"pull":{"days":${days}}}`)],
    ['environment', (days) => ({ env: { RELAY_PULL_DAYS: String(days) } })],
    ['flags', (days) => ({ flags: { pull: { days } } })],
  ];
  it.each(steps.map(([name], i) => [name, i] as const))('%s beats what stands below it', async (_name, upTo) => {
    let input: Partial<LoadInput> = {};
    for (const [i, [, set]] of steps.slice(0, upTo + 1).entries()) input = { ...input, ...set(i + 1) };
    expect((await load(input)).settings.pull.days).toBe(upTo + 1);
  });

  it('follow XDG_CONFIG_HOME', async () => {
    put('xdg/relay/config.jsonc', '{"pull":{"days":9}}');
    expect((await load({ env: { XDG_CONFIG_HOME: join(base, 'xdg') } })).settings.pull.days).toBe(9);
  });

  it('work outside a repository', async () => {
    put('home/.config/relay/config.jsonc', '{"pull":{"days":9}}');
    expect((await load({ repository: undefined })).settings.pull.days).toBe(9);
  });

  it('join what is excluded and redacted, so that the strictest wins', async () => {
    put('home/.config/relay/config.jsonc', '{"share":{"exclude":[{"agent":"codex"}]},"redact":{"known":{"names":["A"]}}}');
    put('repo/.relayrc', '{"share":{"exclude":[{"title":"x"}]},"redact":{"known":{"names":["B"]}}}');
    put('repo/.git/relay/config.jsonc', '{"share":{"exclude":[]},"redact":{"known":{"names":[]}}}');
    const { settings } = await load();
    expect(settings.share.exclude).toEqual([{ agent: 'codex' }, { title: 'x' }]);
    expect(settings.redact.known.names).toEqual(['A', 'B']);
  });

  it('give absolute paths: ~ is home, relative ones start at the work tree', async () => {
    put('repo/.relayrc', '{"share":{"exclude":[{"path":"~/private"},{"path":"drafts"}]},"redact":{"known":{"files":["conf/x","/etc/y"]}}}');
    const { settings } = await load();
    expect(settings.share.exclude.map((e) => e.path)).toEqual([join(base, 'home/private'), join(base, 'repo/drafts')]);
    expect(settings.redact.known.files).toEqual([join(base, 'repo/conf/x'), '/etc/y']);
  });
});

describe('mistakes', () => {
  it.each([
    ['{\n  "pull": { "dayz": 3 }\n}', 'f:2:13: unknown setting "pull.dayz".', 'Did you mean "pull.days"?'],
    ['{ "stroe": {} }', 'f:1:3: unknown setting "stroe".', 'Did you mean "store"?'],
    ['{ "pull": { "xyzzyxyzzy": 3 } }', 'f:1:13: unknown setting "pull.xyzzyxyzzy".', 'Known here: pull.days.'],
    ['{\n  // why\n  "pull": { "days": "many" }\n}', 'f:3:13: pull.days: expected number, received string.', 'fetches handoffs'],
    ['{\n  "pull": {\n}', 'f:3:2: a } is expected here; the { that it belongs to is still open.', 'in line 3, at column 2. Mend it, or rename the file'],
    ['{ "push": yes }', 'f:1:11: a name or text in double quotes is expected here, or a number, true, false, null, { or [.', 'in line 1, at column 11.'],
    ['{broken', 'f:1:2: a name or text in double quotes is expected here, or a number, true, false, null, { or [.', 'in line 1, at column 2.'],
    ['{ pull: {} }', 'f:1:3: a name or text in double quotes is expected here, or a number, true, false, null, { or [.', 'in line 1, at column 3.'],
    ['[]', 'f:1:1: the file: expected object, received array.', ''],
    ['{ "agents": { "cluade-code": {} } }', 'f:1:15: relay knows no agent "cluade-code".', 'Did you mean "claude-code"?'],
    ['{ "agents": { "codex": { "windw": 1 } } }', 'f:1:26: unknown setting "agents.codex.windw".', 'Did you mean "agents.codex.window"?'],
    ['{ "share": { "exclude": [{}] } }', 'f:1:26: share.exclude.0: names nothing: give agent, path or title.', ''],
  ])('%j', async (text, message, hint) => {
    const error = await failure(() => parseSettings(text, 'f', { agents: ['claude-code', 'codex'] }));
    expect([error.code, error.exitCode]).toEqual(['config', 2]);
    expect(error.message).toBe(message);
    expect(error.hint ?? '').toContain(hint);
  });

  it('comments, trailing commas, a byte order mark and an empty file are none', () => {
    expect(parseSettings('\ufeff{ /* a */ "pull": { "days": 3, }, // b\n}', 'f')).toEqual({ pull: { days: 3 } });
    expect(parseSettings('', 'f')).toEqual({});
  });

  it('in the environment name the variable', async () => {
    const error = await failure(() => load({ env: { RELAY_PULL_DAYS: 'soon' } }));
    expect(error.message).toMatch(/^RELAY_PULL_DAYS: /);
  });
});

const RULE = '{"id":"acme","anchors":["acme_"],"pattern":"acme_[a-z]{8}","hits":["acme_abcdefgh"]}';

describe('settings of the redaction', () => {
  it.each([
    ['an id with a dash', '"id":"ac-me"', 'redact.rules, rule "ac-me": id: expected a small letter and up to 11 more small letters or digits.'],
    ['a short anchor', '"anchors":["ab"]', 'redact.rules, rule "acme": anchors.0: an anchor has at least 3 characters.'],
    ['no anchor', '"anchors":[]', 'redact.rules, rule "acme": anchors: give at least one literal that stands in whatever the pattern matches.'],
    ['another flag', '"flags":"g"', 'redact.rules, rule "acme": flags: only the flags i, s, u and m can be used.'],
    ['no hit', '"hits":[]', 'redact.rules, rule "acme": hits: give at least one text in which the rule must find something.'],
  ])('%s: exit code 2, naming the place', async (_what, more, message) => {
    const error = await failure(() => parseSettings(`{ "redact": { "rules": [${RULE.slice(0, -1)},\n${more}}] } }`, 'f'));
    expect([error.code, error.exitCode]).toEqual(['config', 2]);
    expect(error.message).toMatch(/^f:\d+:\d+: /);
    expect(error.message.replace(/^f:\d+:\d+: /, '')).toBe(message);
  });

  it.each([
    ['{"id":"acme","anchors":["acme_"],"pattern":"acme_[a-z]{8}"}', 'redact.rules, rule "acme" needs hits.', 'Made-up texts'],
    ['{"id":"acme","anchors":["acme_"],"hits":["x"]}', 'redact.rules, rule "acme" needs pattern.', 'Regular expression'],
    ['{"anchors":["acme_"],"pattern":"acme_[a-z]{8}","hits":["x"]}', 'redact.rules, rule 1 needs id.', 'Short name'],
  ])('a field that is missing is named, and whose it is: %s', async (rule, message, hint) => {
    const error = await failure(() => parseSettings(`{ "redact": { "rules": [${rule}] } }`, 'f'));
    expect(error.message).toBe(`f:1:25: ${message}`);
    expect(error.hint).toContain(hint);
  });

  it('all that is wrong in a file is told at once', async () => {
    const text = `{
  "pul": {}, "pushh": {},
  "pull": { "days": "many" },
  "agents": { "cluade": {} },
  "redact": { "rules": [
    { "id": "first" },
    ${RULE}
  ], "allow": { "patterns": ["a", 7, "b"] } }
}`;
    const checks = {
      agents: ['claude-code'],
      faultInRule: ({ id }: { id: string }) => `it is ${id}`,
      faultInAllowed: (one: string) => (one === 'b' ? 'no' : undefined),
    };
    const error = await failure(() => parseSettings(text, 'f', checks));
    expect([error.code, error.hint]).toEqual(['config', expect.stringMatching(/^Mend it/)]);
    const [head, ...lines] = error.message.split('\n');
    expect(head).toBe('There are 10 mistakes in the settings:');
    expect(lines.map((line) => /^ {2}(f:\d+:\d+: .*?\.)(?: |$)/.exec(line)?.[1]).sort()).toEqual([
      'f:2:14: unknown setting "pushh".',
      'f:2:3: unknown setting "pul".',
      'f:3:13: pull.days: expected number, received string.',
      'f:4:15: relay knows no agent "cluade".',
      'f:6:5: redact.rules, rule "first" needs anchors.',
      'f:6:5: redact.rules, rule "first" needs hits.',
      'f:6:5: redact.rules, rule "first" needs pattern.',
      'f:7:5: redact.rules, rule "acme": it is acme.',
      'f:8:35: redact.allow.patterns.1: expected string, received number.',
      'f:8:38: redact.allow.patterns.2: no.',
    ]);
    expect(error.message).toContain('unknown setting "pul". Did you mean "pull"?');
  });

  it('what is wrong with a rule or a pattern is told with its file, place and id', async () => {
    put('repo/.relayrc', `{\n "redact": { "rules": [\n  ${RULE}] } }`);
    const rule = await failure(() => load({ checks: { faultInRule: ({ id }) => `it is ${id}` } }));
    expect(rule.message).toBe(`${join(base, 'repo/.relayrc')}:3:3: redact.rules, rule "acme": it is acme.`);
    put('repo/.relayrc', '{"redact":{"allow":{"patterns":["a","b"]}}}');
    const pattern = await failure(() => load({ checks: { faultInAllowed: (text) => (text === 'b' ? 'no' : undefined) } }));
    expect(pattern.message).toBe(`${join(base, 'repo/.relayrc')}:1:37: redact.allow.patterns.1: no.`);
  });

  it("fingerprints stand in the clone's own settings only", async () => {
    const text = '{"redact":{"allow":{"fingerprints":["gh:0a1b2c3d"]}}}';
    for (const path of ['repo/.relayrc', 'home/.config/relay/config.jsonc']) {
      put(path, text);
      const error = await failure(load);
      expect([error.code, error.exitCode]).toEqual(['config', 2]);
      expect(error.message).toContain(`${path}:1:21: redact.allow.fingerprints means something in one clone only`);
      expect(error.hint).toContain('<git common dir>/relay/config.jsonc');
      rmSync(join(base, path));
    }
    put('repo/.git/relay/config.jsonc', text);
    for (const one of (await load()).unaccepted) await accept(place(), one);
    expect((await load()).settings.redact.allow.fingerprints).toEqual(['gh:0a1b2c3d']);
    put('repo/.git/relay/config.jsonc', text.replace('0a1b2c3d', 'nothex00'));
    expect((await failure(load)).message).toContain('expected <kind>:<8 hex digits>, as reports show it');
  });
});

describe("a repository's .relayrc", () => {
  const secret = `pw${Math.random().toString(36).slice(2)}`;
  const EVERYTHING: Stopped[] = ['push', 'send', 'pull', 'fetch', 'purge', 'import', 'watch', 'git push'];
  const REMOTE: Stopped[] = ['send', 'pull', 'fetch', 'purge', 'git push'];
  const guardedCases: [key: string, text: string, stopped: Stopped[], no: string][] = [
    ['store.remote', `{"store":{"remote":"https://ann:${secret}@example.org/x.git"}}`, REMOTE, '{"store":{"remote":null}}'],
    ['store.namespace', '{"store":{"namespace":"refs/heads/relay"}}', REMOTE, '{"store":{"namespace":"refs/relay"}}'],
    ['push.auto', '{"push":{"auto":true}}', ['watch', 'git push'], '{"push":{"auto":false}}'],
    ['watch.standby', '{"watch":{"standby":"codex"}}', ['watch'], '{"watch":{"standby":null}}'],
    ['agents.codex.command', '{"agents":{"codex":{"command":"./evil"}}}', ['import'], '{"agents":{"codex":{"command":null}}}'],
    ['agents.claude-code.roots', '{"agents":{"claude-code":{"roots":["/tmp/x"]}}}', ['push', 'import', 'watch'], '{"agents":{"claude-code":{"roots":null}}}'],
  ];

  it.each([...guardedCases, ['link.trailer', '{"link":{"trailer":true}}', [], '{"link":{"trailer":false}}'] satisfies (typeof guardedCases)[number]])(
    'stops for %s only where it counts, and nothing once this clone has said no as the message tells',
    async (_key, text, stopped, no) => {
      put('repo/.relayrc', text);
      const { unaccepted } = await load();
      for (const one of EVERYTHING) {
        const attempt = () => guard(unaccepted, [one], '/clone/config.jsonc');
        if (!stopped.includes(one)) expect(attempt).not.toThrow();
        else expect((await failure(attempt)).hint).toContain(`put ${no} into /clone/config.jsonc.`);
      }
      put('repo/.git/relay/config.jsonc', no);
      const { settings, unaccepted: left } = await load();
      expect(left).toEqual([]);
      expect(JSON.stringify(settings)).not.toMatch(/evil|\/tmp\/x|true|"codex"(?!:)|heads|example/);
    },
  );

  it.each(guardedCases)('does not set %s until this clone accepted that exact value', async (key, text, stopped) => {
    put('repo/.relayrc', text);
    const before = await load();
    const [only] = before.unaccepted;
    expect(before.unaccepted.map((u) => u.key)).toEqual([key]);
    expect(JSON.stringify(before.settings)).not.toContain('evil');
    expect(before.settings).toEqual({ ...(await load({ repository: undefined })).settings, agents: before.settings.agents });

    const error = await failure(() => guard(before.unaccepted, stopped, '/clone/config.jsonc'));
    expect([error.code, error.exitCode]).toEqual(['unaccepted', 3]);
    expect(`${error.message} ${error.hint}`).toContain(key);
    expect(error.hint).toContain(`relay init --accept ${key}`);
    expect(`${error.message} ${error.hint}`).not.toContain(secret);

    if (!only) throw new Error('unreachable');
    await accept(place(), only);
    const after = await load();
    expect(after.unaccepted).toEqual([]);
    expect(JSON.stringify(after.settings)).toContain(JSON.stringify(only.value));
    const file = join(base, 'repo/.git/relay/accepted.json');
    expect(readFileSync(file, 'utf8')).not.toContain(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  const loosening: [string, unknown][] = [
    ['redact.allow.patterns', { redact: { allow: { patterns: ['evil-.{1,9}'] } } }],
    ['redact.allow.paths', { redact: { allow: { paths: ['evil/**'] } } }],
  ];
  it.each(loosening)('has no effect on the redaction by %s until this clone accepted it, and stops nothing', async (key, value) => {
    put('repo/.relayrc', JSON.stringify(value));
    put('home/.config/relay/config.jsonc', '{"redact":{"allow":{"paths":["mine"],"patterns":["mine"]}}}');
    const before = await load();
    expect(before.unaccepted.map((u) => u.key)).toEqual([key]);
    expect(before.settings.redact.allow).toEqual({ fingerprints: [], patterns: ['mine'], paths: ['mine'] });
    expect(() => guard(before.unaccepted, EVERYTHING, '/clone/config.jsonc')).not.toThrow();
    for (const one of before.unaccepted) await accept(place(), one);
    const after = await load();
    expect(after.unaccepted).toEqual([]);
    expect(JSON.stringify(after.settings.redact.allow)).toContain('evil');
    put('repo/.relayrc', JSON.stringify(value).replace('evil', 'worse'));
    expect(JSON.stringify((await load()).settings)).not.toContain('worse');
  });

  it('cannot loosen the redaction by any other key', async () => {
    put('home/.config/relay/config.jsonc', '{"redact":{"paranoid":true,"pii":["email"],"known":{"names":["A"],"files":["/f"]},"rules":[]}}');
    const before = (await load()).settings.redact;
    put('repo/.relayrc', '{"redact":{"paranoid":false,"pii":[],"known":{"names":[],"files":[]},"rules":[],"allow":{"paths":[],"patterns":[]}}}');
    const { settings, unaccepted } = await load({ env: { RELAY_REDACT_PARANOID: '0' } });
    expect(settings.redact).toEqual(before);
    expect(unaccepted).toEqual([]);
  });

  it('may add phrases that a brief looks for', async () => {
    put('home/.config/relay/config.jsonc', '{"context":{"words":{"binding":["hands off"]}}}');
    put('repo/.relayrc', '{"context":{"words":{"binding":["auf keinen Fall"]}}}');
    expect((await load()).settings.context.words.binding).toEqual(['hands off', 'auf keinen Fall']);
  });

  it('may tighten it', async () => {
    put('home/.config/relay/config.jsonc', '{"redact":{"pii":["email"]}}');
    put('repo/.relayrc', `{"redact":{"paranoid":true,"pii":["phone"],"rules":[${RULE}]}}`);
    const { paranoid, pii, rules } = (await load()).settings.redact;
    expect([paranoid, pii, rules.map((rule) => rule.id)]).toEqual([true, ['email', 'phone'], ['acme']]);
  });

  it('has to be accepted anew when the value changes', async () => {
    put('repo/.relayrc', '{"store":{"remote":"https://a.example/x.git"}}');
    for (const one of (await load()).unaccepted) await accept(place(), one);
    put('repo/.relayrc', '{"store":{"remote":"https://b.example/x.git"}}');
    const { settings, unaccepted } = await load();
    expect(settings.store.remote).toBeUndefined();
    expect(unaccepted).toEqual([{ file: 'repository', key: 'store.remote', value: 'https://b.example/x.git' }]);
  });

  it('needs no accepting where it asks for nothing, or where this clone decided itself', async () => {
    put('repo/.relayrc', '{"push":{"auto":false},"store":{"namespace":"refs/relay","remote":"elsewhere"},"watch":{"standby":"codex"}}');
    put('repo/.git/relay/config.jsonc', '{"store":{"remote":"origin"}}');
    put('home/.config/relay/config.jsonc', '{"watch":{"standby":"codex"}}');
    for (const one of (await load()).unaccepted) await accept(place(), one);
    const { settings, unaccepted } = await load();
    expect(unaccepted).toEqual([]);
    expect(settings.store.remote).toBe('origin');
  });
});

describe('the clone’s own settings, to which an agent in its sandbox can write', () => {
  const steering: [string, unknown][] = [
    ['store.remote', { store: { remote: 'https://evil.example/x.git' } }],
    ['push.auto', { push: { auto: true } }],
    ['watch.standby', { watch: { standby: 'codex' } }],
    ['agents.codex.roots', { agents: { codex: { roots: ['/evil'] } } }],
    ['redact.allow.paths', { redact: { allow: { paths: ['evil/**'] } } }],
    ['redact.allow.fingerprints', { redact: { allow: { fingerprints: ['gh:0a1b2c3d'] } } }],
  ];
  it.each(steering)('say nothing by %s until it was accepted, whoever writes that it was', async (key, value) => {
    put('repo/.git/relay/config.jsonc', JSON.stringify(value));
    const { settings, unaccepted } = await load();
    expect(unaccepted).toMatchObject([{ file: 'clone', key }]);
    expect({ ...settings, agents: {} }).toEqual((await load({ repository: undefined })).settings);
    if (!unaccepted[0]) throw new Error('unreachable');
    await accept(place(), unaccepted[0]);
    expect((await load()).unaccepted).toEqual([]);
    const forged = readFileSync(join(base, 'repo/.git/relay/accepted.json'), 'utf8');
    rmSync(join(base, 'state'), { recursive: true });
    put('repo/.git/relay/accepted.json', forged);
    expect((await load()).unaccepted).toMatchObject([{ file: 'clone', key }]);
  });

  it('make what leaves less, or say no, at once', async () => {
    put('repo/.relayrc', '{"push":{"auto":true}}');
    put('repo/.git/relay/config.jsonc', '{"push":{"auto":false},"share":{"exclude":[{"agent":"codex"}]},"redact":{"paranoid":true}}');
    const { settings, unaccepted } = await load();
    expect(unaccepted).toEqual([]);
    expect([settings.push.auto, settings.share.exclude, settings.redact.paranoid]).toEqual([false, [{ agent: 'codex' }], true]);
  });
});

describe('what is published about settings', () => {
  it.each(Object.entries(schemaFiles()))('docs/%s is what the sources say (npx tsx scripts/schema.ts writes it)', (file, text) => {
    expect(readFileSync(join(project, 'docs', file), 'utf8')).toBe(text);
  });

  const example = readFileSync(join(project, '.relayrc.example'), 'utf8');
  it('.relayrc.example is valid', () => {
    expect(parseSettings(example, '.relayrc.example', { agents: ['claude-code', 'codex'] })).toBeTypeOf('object');
  });
  it('.relayrc.example marks what a rule needs, and nothing else', () => {
    const { rules } = JSON.parse(readFileSync(join(project, 'docs/relayrc.schema.json'), 'utf8')).properties.redact.properties;
    const marked = [...example.matchAll(/\(required\)[^\n]*\n\s*"(\w+)":/g)].map(([, name]) => name);
    expect(marked).toEqual(rules.items.required);
  });
  it.each(settingPaths())('.relayrc.example shows %s', (path) => {
    let values: unknown[] = [parse(example)];
    for (const step of path.split('.')) values = values.flatMap((v) => (step === '*' ? Object.values(v as object) : [(v as Record<string, unknown>)?.[step]]));
    expect(values.some((v) => v !== undefined)).toBe(true);
  });
});
