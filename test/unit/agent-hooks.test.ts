import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { example } from '#adapters/_template/index.ts';
import { adapters } from '#adapters/registry.ts';
import { agentHooksState, installAgentHooks, uninstallAgentHooks } from '#hooks/agent/install.ts';
import { HOOK_COMMAND } from '#lib/command-hooks.ts';
import { RelayError } from '#lib/errors.ts';

const [claude, codex] = adapters as [(typeof adapters)[number], (typeof adapters)[number]];

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'relay-agent-hooks-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const where = () => ({ env: {}, home });
const state = () => join(home, 'state');
const settings = () => join(home, '.claude', 'settings.json');
const put = (text: string | Buffer, path = settings()): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const install = (adapter = claude) => installAgentHooks(adapter, where(), state());
const uninstall = (adapter = claude) => uninstallAgentHooks(adapter, where(), state());
const now = (): string => readFileSync(settings(), 'utf8');
const forgetAll = () => rmSync(state(), { recursive: true, force: true });
/** Where relay's command stands: event, place of its group among the event's. */
const relays = (text: string): [string, number, unknown][] =>
  Object.entries((parse(text) as { hooks: Record<string, { hooks: { command?: string; timeout?: number }[] }[]> }).hooks).flatMap(([event, groups]) =>
    groups.flatMap((group, n) =>
      group.hooks.filter((hook) => hook.command === HOOK_COMMAND).map((hook): [string, number, unknown] => [event, n, hook.timeout]),
    ),
  );

const OTHERS = '{"type":"command","command":"say done"}';
/** Texts whose every byte must come back, also when relay does not remember what it did: nothing in them is empty. */
const plain: [string, string][] = [
  ['other keys', '{\n  "model": "opus",\n  "permissions": { "allow": ["Bash(ls:*)"] }\n}\n'],
  ['no line feed at the end', '{\n  "model": "opus"\n}'],
  ['tabs', '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n'],
  ['four blanks, CRLF', '{\r\n    "model": "opus"\r\n}\r\n'],
  ['one line', '{"model":"opus","b":[1,2]}'],
  ['one line with blanks', '{ "model": "opus" }\n'],
  ['a mark at the beginning', '\ufeff{\n  "model": "opus"\n}\n'],
  ['hooks of others', `{\n  "hooks": {\n    "PreToolUse": [{ "matcher": "Bash", "hooks": [${OTHERS}] }]\n  },\n  "model": "opus"\n}\n`],
  ['others at the same event', `{\n  "hooks": {\n    "Stop": [\n      { "hooks": [${OTHERS}] },\n      { "hooks": [${OTHERS}] }\n    ]\n  }\n}\n`],
  ['others at all three, one line', `{"hooks":{"Stop":[{"hooks":[${OTHERS}]}],"SessionEnd":[{"hooks":[${OTHERS}]}],"PreCompact":[{"hooks":[${OTHERS}]}]}}`],
  ['comments', '// first\n{\n  "model": "opus" // why\n  /* last */\n}\n// end\n'],
  ['a comma in a comment', '{\n  "model": "opus" /* a, b */\n}\n'],
  ['the same key twice', `{"hooks":{"Stop":[{"hooks":[${OTHERS}]}]},"hooks":{"PreToolUse":[{"hooks":[${OTHERS}]}]}}`],
  ['strings that look like it', `{\n  "statusLine": { "command": ${JSON.stringify(HOOK_COMMAND)} },\n  "x": "}, \\" // no comment"\n}\n`],
  ['other letters', '{\n  "greeting": "grüß dich 🙂",\n  "zero": "a\\u0000b"\n}\n'],
  ['a closing bracket on the last line', '{\n  "model": "opus"}'],
];
/** Texts that come back as they were because relay remembers what it put in. */
const remembered: [string, string][] = [
  ['empty', ''],
  ['white space', ' \n'],
  ['an empty object', '{}\n'],
  ['an empty object with a blank', '{ }'],
  ['an empty object on two lines', '{\n}\n'],
  ['empty hooks', '{\n  "hooks": {},\n  "model": "opus"\n}\n'],
  ['an empty list', '{\n  "hooks": {\n    "Stop": []\n  }\n}\n'],
  ['an empty group', '{"hooks":{"Stop":[{"hooks":[]}]}}'],
  ['only a comment', '{\n  // nothing yet\n}\n'],
  ['trailing commas', '{\n  "model": "opus",\n}\n'],
  ['a trailing comma and a comment', `{\n  "hooks": {\n    "Stop": [\n      { "hooks": [${OTHERS}] }, // mine\n    ],\n  },\n}\n`],
];

describe('the hooks of Claude Code', () => {
  it.each([...plain, ...remembered])('%s: only relay’s hooks are added, and taken out again to the byte', async (_, before) => {
    put(before);
    chmodSync(settings(), 0o640);
    expect(await install()).toEqual({ file: settings(), changed: true });
    const after = now();
    const kept = before.replace(/\s/g, '');
    expect(after.replace(/\s/g, '').length).toBeGreaterThan(kept.length);
    expect(isWithin(before, after)).toBe(true);
    expect(relays(after).map(([event, , timeout]) => [event, timeout])).toEqual(
      expect.arrayContaining([
        ['Stop', undefined],
        ['SessionEnd', 30],
        ['PreCompact', undefined],
      ]),
    );
    expect(relays(after)).toHaveLength(3);
    expect(without(parse(after.replace(/^\ufeff/, '')))).toEqual(without(parse(before.replace(/^\ufeff/, '')) ?? {}));
    expect(await install()).toEqual({ file: settings(), changed: false });
    expect(now()).toBe(after);
    expect(await uninstall()).toEqual({ file: settings(), changed: true });
    expect(now()).toBe(before);
    expect(statSync(settings()).mode & 0o777).toBe(0o640);
    expect(await uninstall()).toEqual({ file: settings(), changed: false });
  });

  it.each(plain)('%s: taken out to the byte without anything remembered', async (_, before) => {
    put(before);
    await install();
    forgetAll();
    await uninstall();
    expect(now()).toBe(before);
  });

  it.each(remembered.filter(([, text]) => text.trim() !== ''))('%s: taken out without anything remembered', async (_, before) => {
    put(before);
    await install();
    forgetAll();
    await uninstall();
    const left = existsSync(settings()) ? now() : '{}';
    expect(left).not.toContain('relay');
    expect(without(parse(left))).toEqual(without(parse(before)));
  });

  it('takes its own out of a file that was changed since, and leaves the rest', async () => {
    put('{\n  "hooks": {}\n}\n');
    await install();
    const changed = now().replace('{\n', '{\n  "model": "opus",\n');
    put(changed);
    await uninstall();
    expect(parse(now())).toEqual({ model: 'opus' });
    put(`{"hooks":{"Stop":[{"matcher":"","hooks":[{"type":"command","command":${JSON.stringify(HOOK_COMMAND)}},${OTHERS}]}]}}`);
    await uninstall();
    expect(now()).toBe(`{"hooks":{"Stop":[{"matcher":"","hooks":[${OTHERS}]}]}}`);
  });

  it('adds what is missing where one of its hooks was taken out by hand', async () => {
    await install();
    const whole = now();
    put(whole.replace(/"SessionEnd": \[[\s\S]*?\n {4}\],\n/, ''));
    expect(relays(now())).toHaveLength(2);
    await install();
    expect(relays(now())).toHaveLength(3);
    await uninstall();
    expect(existsSync(settings())).toBe(false);
  });

  it('takes away the folders that it made, and no other', async () => {
    const away = join(home, 'new', 'claude');
    const at = { env: { CLAUDE_CONFIG_DIR: away }, home };
    const there = async (between: () => unknown) => {
      await installAgentHooks(claude, at, state());
      await between();
      await uninstallAgentHooks(claude, at, state());
      return [existsSync(away), existsSync(dirname(away))];
    };
    expect(await there(() => {})).toEqual([false, false]);
    // What a second install adds changes nothing about who made them.
    const again = async () => {
      const file = join(away, 'settings.json');
      put(readFileSync(file, 'utf8').replace(/"SessionEnd": \[[\s\S]*?\n {4}\],\n/, ''), file);
      await installAgentHooks(claude, at, state());
    };
    expect(await there(again)).toEqual([false, false]);
    expect(await there(() => put('x', join(home, 'new', 'mine')))).toEqual([false, true]);
    mkdirSync(away);
    expect(await there(() => {})).toEqual([true, true]);
  });

  it('makes the file where there is none, for this user only, and takes it away again', async () => {
    expect(await uninstall()).toEqual({ file: settings(), changed: false });
    await install();
    expect(statSync(settings()).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(settings()))).toEqual(['settings.json']);
    expect(relays(now())).toEqual([
      ['Stop', 0, undefined],
      ['SessionEnd', 0, 30],
      ['PreCompact', 0, undefined],
    ]);
    await uninstall();
    expect(existsSync(dirname(settings()))).toBe(false);
  });

  it('follows CLAUDE_CONFIG_DIR, and a link to the file, which stays one', async () => {
    const real = join(home, 'dotfiles', 'claude.json');
    put('{}\n', real);
    mkdirSync(dirname(settings()), { recursive: true });
    symlinkSync(real, settings());
    await install();
    expect(lstatSync(settings()).isSymbolicLink()).toBe(true);
    expect(relays(readFileSync(real, 'utf8'))).toHaveLength(3);
    forgetAll();
    await uninstall();
    expect(lstatSync(settings()).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toBe('{}\n');
    const elsewhere = { env: { CLAUDE_CONFIG_DIR: join(home, 'elsewhere') }, home };
    expect((await installAgentHooks(claude, elsewhere, state())).file).toBe(join(home, 'elsewhere', 'settings.json'));
  });

  const odd: [string, string | Buffer, RegExp][] = [
    ['no JSON', '{\n  "model": opus\n}\n', /settings\.json cannot be changed\. It is no JSON: line 2/],
    ['half a file', '{\n  "model": "opus",\n', /It is no JSON/],
    ['two documents', '{}\n{}\n', /It is no JSON/],
    ['a list', '[]\n', /It holds no JSON object/],
    ['hooks that are a list', '{"hooks":[]}', /"hooks" are no object/],
    ['an event that is an object', '{"hooks":{"Stop":{}}}', /hooks of "Stop" are no list of groups/],
    ['a group without hooks', '{"hooks":{"PreToolUse":[{"command":"x"}]}}', /hooks of "PreToolUse" are no list of groups/],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /is no UTF-8 text/],
  ];
  it.each(odd)('refuses %s and writes nothing', async (_, text, message) => {
    put(text);
    for (const change of [install, uninstall]) await expect(change()).rejects.toThrow(message);
    expect(readFileSync(settings())).toEqual(Buffer.from(text));
    expect(readdirSync(dirname(settings()))).toEqual(['settings.json']);
  });

  it('refuses a folder, a link that leads nowhere and a file that is read-only', async () => {
    mkdirSync(settings(), { recursive: true });
    await expect(install()).rejects.toThrow(/is no regular file/);
    rmSync(settings(), { recursive: true });
    symlinkSync(join(home, 'nowhere'), settings());
    await expect(install()).rejects.toThrow(/is a link that leads nowhere/);
    rmSync(settings());
    put('{}\n');
    chmodSync(settings(), 0o444);
    await expect(install()).rejects.toThrow(/is read-only/);
    expect(now()).toBe('{}\n');
    const error = await install().catch((one: unknown) => one);
    expect(error).toBeInstanceOf(RelayError);
    expect((error as RelayError).exitCode).toBe(2);
  });

  it('knows what keeps its client from running them', async () => {
    const cwd = join(home, 'shop');
    const asked = () => agentHooksState(claude, { env: { PATH: join(home, 'bin') }, home }, cwd);
    put('#!/bin/sh\n', join(home, 'bin', 'relay'));
    chmodSync(join(home, 'bin', 'relay'), 0o755);
    expect(await asked()).toEqual({ agent: 'claude-code', file: settings(), installed: false });
    await install();
    expect(await asked()).toMatchObject({ installed: true, runs: true });
    put('{"disableAllHooks": true}', join(cwd, '.claude', 'settings.json'));
    expect(await asked()).toMatchObject({ installed: true, runs: false, fix: `set disableAllHooks to false in ${join(cwd, '.claude', 'settings.json')}` });
    put('{"disableAllHooks": false}', join(cwd, '.claude', 'settings.local.json'));
    expect(await asked()).toMatchObject({ runs: true });
    rmSync(join(home, 'bin'), { recursive: true });
    expect(await asked()).toMatchObject({ runs: false, fix: expect.stringContaining('PATH') });
    put(`// mine\n${now()}`);
    expect(await asked()).toMatchObject({ runs: false, fix: expect.stringContaining('comments') });
  });
});

describe('the hooks of Codex', () => {
  const file = () => join(home, '.codex', 'hooks.json');
  it('stand last, since trust goes by the place', async () => {
    const before = `{"description":"mine","hooks":{"Stop":[{"hooks":[${OTHERS}]},{"matcher":"x","hooks":[${OTHERS}]}]}}`;
    put(before, file());
    await install(codex);
    expect(relays(readFileSync(file(), 'utf8'))).toEqual([
      ['Stop', 2, undefined],
      ['SessionEnd', 0, undefined],
      ['PreCompact', 0, undefined],
    ]);
    expect(await install(codex)).toMatchObject({ changed: false });
    await uninstall(codex);
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });

  it('cannot be judged without the client', async () => {
    await install(codex);
    expect(await agentHooksState(codex, { env: { PATH: '/nowhere' }, home }, home)).toMatchObject({ installed: true, runs: false });
    expect(await codex.hooks?.state({ env: { PATH: '/nowhere' }, home }, home)).toEqual({ installed: true, fix: expect.stringContaining('codex') });
  });
});

describe.each([...adapters, example])('the hooks of $title', (adapter) => {
  const { hooks } = adapter as typeof adapter & { hooks: NonNullable<typeof adapter.hooks> };
  it('are put in once, seen, and taken out', async () => {
    const [first] = hooks.install(undefined);
    const text = first?.text ?? '';
    expect(relays(text).length).toBeGreaterThan(0);
    expect(hooks.install(text)).toEqual([]);
    expect(hooks.uninstall(text)).toBeUndefined();
    expect(await hooks.state(where(), home)).toEqual({ installed: false });
    put(text, hooks.file(where()));
    expect(await hooks.state(where(), home)).toMatchObject({ installed: true });
  });

  it('do not answer for payloads of others', () => {
    expect(hooks.event({})).toBeUndefined();
    expect(hooks.event({ hook_event_name: 'Stop', event: 'Stop', session_id: 'a', session: 'a', cwd: '/', transcript_path: '/b', file: '/b' })).toBeUndefined();
  });
});

describe('any settings', () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.string(), fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  })).object;
  const hook = fc.record({ type: fc.constant('command'), command: fc.oneof(fc.string(), fc.constant(HOOK_COMMAND)), timeout: fc.nat(60) });
  const groups = fc.array(fc.record({ matcher: fc.string(), hooks: fc.array(hook, { maxLength: 3 }) }), { maxLength: 3 });
  const hooks = fc.dictionary(fc.oneof(fc.constantFrom('Stop', 'SessionEnd', 'PreCompact', 'PreToolUse'), fc.string()), groups, { maxKeys: 5 });
  const text = fc
    .tuple(json, fc.option(hooks), fc.constantFrom(undefined, 1, 2, 4, '\t'), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\n', ' \n\n'))
    .map(([others, own, indent, eol, end]) => {
      const { hooks: _, ...rest } = others as Record<string, unknown>;
      return JSON.stringify(own ? { ...rest, hooks: own } : rest, null, indent).replaceAll('\n', eol) + end;
    });

  it('come back to the byte, and hold all they held meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(claude, codex), async (before, adapter) => {
        const file = adapter.hooks?.file(where()) as string;
        put(before, file);
        const { changed } = await install(adapter);
        const after = readFileSync(file, 'utf8');
        expect(without(JSON.parse(after))).toEqual(without(JSON.parse(before)));
        expect(await install(adapter)).toMatchObject({ changed: false });
        // What somebody else put there in relay's words goes too: then it is no round trip.
        if (!changed || before.includes('relay hook')) return;
        await uninstall(adapter);
        expect(readFileSync(file, 'utf8')).toBe(before);
      }),
      { numRuns: 300 },
    );
  });
});

/** Is one text the other one with something put in between? */
function isWithin(small: string, large: string): boolean {
  let at = 0;
  for (const char of large) if (small.startsWith(char, at)) at += char.length;
  return at === small.length;
}

/** Settings without relay's hooks, and without what is empty of hooks: what both sides of an edit must have in common. */
function without(value: { hooks?: Record<string, { hooks: { command?: string }[] }[]> }): unknown {
  const { hooks = {}, ...rest } = value;
  const left = Object.entries(hooks).map(([event, groups]) => [
    event,
    groups.map((group) => ({ ...group, hooks: group.hooks.filter(({ command }) => command !== HOOK_COMMAND) })).filter((group) => group.hooks.length),
  ]);
  return { ...rest, hooks: Object.fromEntries(left.filter(([, groups]) => groups?.length)) };
}
