import { spawn } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HandedOn } from '#flows/watch.ts';
import type { Round } from '#flows/watch-round.ts';
import { noticeFor } from '#hooks/notice.ts';
import { answerMore, fill } from '../support/context.ts';
import { fixtures, layOut } from '../support/fixtures.ts';
import { testIo } from '../support/io.ts';
import { type Lab, lab, type Person, RELAY } from '../support/lab.ts';
import type { LaidOut } from '../support/layout.ts';
import { ownSettings } from '../support/own-settings.ts';

let place: Lab;
let ann: Person;
let project: string;
beforeEach(() => {
  place = lab();
  ann = place.person('ann');
  project = place.project(ann, 'ann/proj', place.bare('team'));
});
afterEach(() => place.done());

const claude = (name = '02') => layOut('claude-code', fixtures('claude-code').find((one) => one.name.startsWith(name))?.path ?? '', ann.home, project);
const codex = (name = 'exec-plain') => layOut('codex', fixtures('codex').find((one) => one.name.includes(name))?.path ?? '', ann.home, project);
/** Percent of a million, the window of the models that the fixtures name. */
const use = (session: LaidOut, percent: number) => fill(session, percent * (session.agent === 'codex' ? 2584 : 10_000));
const settings = (value: object): void => ownSettings(ann, value);
const once = () => place.json<Round>(ann, project, 'watch', '--once');
const versions = async (handoff: string) =>
  (await place.json<{ versions: { version: number }[] }>(ann, project, 'log', handoff)).versions.map(({ version }) => version);
const rollouts = (): string[] => {
  const folder = join(ann.home, '.codex/sessions');
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('.jsonl'))
    : [];
};
const atTheEndOfATurn = (session: LaidOut, more: { name?: string; env?: Record<string, string> } = {}) => {
  const { env = {}, name = 'Stop' } = more;
  const io = testIo({ env: { ...ann.env, ...env }, home: ann.home, cwd: '/nowhere' });
  return noticeFor(
    io,
    { agent: session.agent, session: session.id, path: session.path, cwd: session.cwd, name },
    { commonDir: join(project, '.git'), root: project },
  );
};

describe('a session that passes 80 % of its context', () => {
  beforeEach(() => settings({ watch: { standby: 'codex' } }));

  it('is recorded, imported and told of once, and again when it has grown by a tenth', async () => {
    const session = claude();
    use(session, 79);
    expect(await once()).toMatchObject({
      sessions: [{ agent: 'claude-code', session: session.id, tokens: 790_000, window: 1_000_000, percent: 79 }],
      handedOn: [],
    });
    use(session, 81);
    const { handedOn } = await once();
    expect(handedOn).toHaveLength(1);
    const [one] = handedOn as [HandedOn];
    expect(one).toMatchObject({ session: session.id, percent: 81, sent: false, problems: [], imported: { agent: 'codex' } });
    expect(one.handoff).toMatch(/^ann-[0-9a-f]{6}\/claude-code-.*@1$/);
    expect(rollouts()).toHaveLength(1);
    expect(rollouts()[0]).toContain(one.imported?.session);
    expect(one.notice).toContain('81 % of its context (810k of 1m tokens)');
    expect(one.notice).toMatch(new RegExp(`\\ncd ${project} && codex resume ${one.imported?.session}$`));
    for (const percent of [81, 85, 90]) {
      answerMore(session, percent * 10_000);
      expect((await once()).handedOn).toEqual([]);
    }
    expect(rollouts()).toHaveLength(1);
    answerMore(session, 910_000);
    expect((await once()).handedOn).toMatchObject([{ percent: 91, handoff: expect.stringMatching(/@2$/) }]);
    expect(rollouts()).toHaveLength(2);
    expect(await versions(one.handoff?.replace(/@.*/, '') ?? '')).toEqual([1, 2]);
  });

  it('does the same in the hook at the end of a turn, and what one has done the other does not do again', async () => {
    const session = claude();
    use(session, 50);
    expect(await atTheEndOfATurn(session)).toBeUndefined();
    use(session, 80);
    expect(await atTheEndOfATurn(session, { name: 'SessionEnd' })).toBeUndefined();
    expect(await atTheEndOfATurn(session)).toMatch(
      /^relay: this Claude Code session uses 80 % .* Stored as ann-\S+@1\. It goes on in Codex:\ncd .* && codex resume /,
    );
    expect(await atTheEndOfATurn(session)).toBeUndefined();
    expect((await once()).handedOn).toEqual([]);
    expect(rollouts()).toHaveLength(1);
  });

  it('gives one of each with hooks and watches at the same time', async () => {
    const session = claude();
    use(session, 88);
    const answers = await Promise.all([once(), once(), atTheEndOfATurn(session), once(), atTheEndOfATurn(session)]);
    const notices = answers.flatMap((one) => (typeof one === 'object' ? one.handedOn.map(({ notice }) => notice) : (one ?? [])));
    expect(notices).toHaveLength(1);
    expect(rollouts()).toHaveLength(1);
    expect(await versions(/\S+(?=@1)/.exec(notices[0] ?? '')?.[0] ?? '')).toEqual([1]);
  });

  it('does what a killed process has done already not twice', async () => {
    const session = claude();
    use(session, 85);
    await once();
    // Whoever is killed before all is done has not noted it.
    rmSync(join(project, '.git/relay/watch'), { recursive: true });
    const { handedOn } = await once();
    expect(handedOn).toMatchObject([{ handoff: expect.stringMatching(/@1$/) }]);
    expect(rollouts()).toHaveLength(1);
    expect(rollouts()[0]).toContain(handedOn[0]?.imported?.session);
  });

  it('counts anew after a compaction', async () => {
    const session = claude();
    use(session, 95);
    expect((await once()).handedOn).toHaveLength(1);
    use(session, 12);
    expect(await atTheEndOfATurn(session)).toBeUndefined();
    use(session, 82);
    expect(await atTheEndOfATurn(session)).toContain('82 %');
  });

  it('goes on from a Codex session too, whose standby would be itself', async () => {
    const session = codex();
    use(session, 83);
    const { handedOn } = await once();
    expect(handedOn).toMatchObject([{ agent: 'codex', percent: 83, problems: [] }]);
    expect(handedOn[0]?.imported).toBeUndefined();
    expect(handedOn[0]?.notice).toMatch(/To go on in another agent:\nrelay import codex:\S+ --to claude-code$/);
    settings({ watch: { standby: 'claude-code' } });
    use(session, 94);
    expect((await once()).handedOn).toMatchObject([{ imported: { agent: 'claude-code', resume: { command: 'claude', cwd: project } } }]);
  });

  it('is not stored where it is excluded, and still imported', async () => {
    settings({ watch: { standby: 'codex' }, share: { exclude: [{ agent: 'claude-code' }] } });
    const session = claude();
    use(session, 83);
    const { handedOn } = await once();
    expect(handedOn).toMatchObject([{ imported: { agent: 'codex' }, problems: [expect.stringContaining('share.exclude')] }]);
    expect(handedOn[0]).not.toHaveProperty('handoff');
    expect((await place.json<{ handoffs: unknown[] }>(ann, project, 'list')).handoffs).toEqual([]);
  });

  it('of long ago is left alone', async () => {
    const session = claude();
    use(session, 83);
    const then = new Date(Date.now() - 2 * 3600_000);
    utimesSync(session.path, then, then);
    expect(await once()).toEqual({ sessions: [], handedOn: [] });
  });
});

describe('settings', () => {
  it('change when it is, of which window, and whether at all', async () => {
    const session = claude();
    use(session, 40);
    settings({ watch: { at: 40 } });
    expect((await once()).handedOn).toMatchObject([{ percent: 40 }]);
    settings({ watch: { at: 85 }, agents: { 'claude-code': { window: 420_000 } } });
    expect(await atTheEndOfATurn(session)).toContain('95 % of its context (400k of 420k tokens)');
    settings({ watch: { at: 0 } });
    use(session, 99);
    expect(await atTheEndOfATurn(session)).toBeUndefined();
    expect(await place.relay(ann, project, 'watch', '--once')).toMatchObject({ code: 2 });
    settings({ watch: { at: 97 } });
    expect(await atTheEndOfATurn(session, { env: { RELAY_WATCH_AT: '100' } })).toBeUndefined();
  });

  it('of a repository start no import before they were accepted', async () => {
    const session = claude();
    use(session, 83);
    settings({});
    writeFileSync(join(project, '.relayrc'), JSON.stringify({ watch: { standby: 'codex' } }));
    const refused = await place.relay(ann, project, 'watch', '--once');
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('relay init --accept watch.standby');
    const notice = await atTheEndOfATurn(session);
    expect(notice).toContain('relay import claude-code:');
    expect(rollouts()).toEqual([]);
    await place.relay(ann, project, 'init', '--accept', 'watch.standby');
    use(session, 95);
    expect((await once()).handedOn).toMatchObject([{ imported: { agent: 'codex' } }]);
  });

  it('that name no agent are refused', async () => {
    settings({ watch: { standby: 'codx' } });
    const refused = await place.relay(ann, project, 'watch', '--once');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Did you mean "codex"?');
  });
});

describe('sending', () => {
  const onRemote = () => place.git(ann, project, 'ls-remote', 'origin', 'refs/relay/s/*');

  it('is only done where a push was agreed to and push.auto is set', async () => {
    const session = claude();
    use(session, 83);
    expect((await once()).handedOn).toMatchObject([{ sent: false }]);
    expect(onRemote()).toBe('');
    expect((await place.relay(ann, project, 'push', 'latest')).code).toBe(0);
    settings({ push: { auto: true } });
    use(session, 94);
    const before = onRemote();
    const { handedOn } = await once();
    expect(handedOn).toMatchObject([{ sent: true, problems: [] }]);
    expect(handedOn[0]?.notice).toContain(' and sent.');
    expect(onRemote()).not.toBe(before);
  });

  it('goes by settings and remotes as they are then, while it watches', async () => {
    const session = claude();
    expect((await place.relay(ann, project, 'push', 'latest')).code).toBe(0);
    settings({ push: { auto: true } });
    const child = spawn(process.execPath, [RELAY, 'watch', '--json'], { cwd: project, env: ann.env, stdio: ['ignore', 'pipe', 'ignore'] });
    const told: HandedOn[] = [];
    createInterface(child.stdout).on('line', (line) => told.push(JSON.parse(line)));
    const ended = new Promise((done) => child.on('close', done));
    const handedOn = async (percent: number): Promise<HandedOn | undefined> => {
      const before = told.length;
      answerMore(session, percent * 10_000);
      await expect.poll(() => told.length, { timeout: 20_000 }).toBe(before + 1);
      return told.at(-1);
    };
    try {
      await sleep(1500);
      expect(await handedOn(80)).toMatchObject({ percent: 80, sent: true });
      const sent = onRemote();
      settings({ push: { auto: false } });
      expect(await handedOn(91)).toMatchObject({ percent: 91, sent: false, problems: [] });
      settings({ push: { auto: true }, share: { exclude: [{ agent: 'claude-code' }] } });
      expect(await handedOn(102)).toMatchObject({ sent: false, problems: [expect.stringContaining('share.exclude')] });
      settings({ push: { auto: true } });
      const other = join(place.root, 'other.git');
      place.git(ann, place.root, 'clone', '-q', '--mirror', join(place.root, 'remotes/team.git'), other);
      place.git(ann, project, 'remote', 'set-url', 'origin', other);
      expect(await handedOn(113)).toMatchObject({ sent: false, problems: [] });
      expect(onRemote()).toBe(sent);
    } finally {
      child.kill('SIGINT');
      await ended;
    }
  });

  it('that fails is said, and nothing else is left undone for it', async () => {
    const session = claude();
    expect((await place.relay(ann, project, 'push', 'latest')).code).toBe(0);
    settings({ push: { auto: true }, watch: { standby: 'codex' } });
    renameSync(join(place.root, 'remotes'), join(place.root, 'gone'));
    answerMore(session, 830_000);
    const { handedOn } = await once();
    expect(handedOn).toMatchObject([{ sent: false, imported: { agent: 'codex' }, handoff: expect.stringMatching(/@2$/) }]);
    expect(handedOn[0]?.problems).toEqual([expect.stringMatching(/^It is not sent: .*team\.git/)]);
    expect(handedOn[0]?.notice).toContain('It is not sent: ');
  });
});

it('goes on watching, tells people in lines and programs in documents, and ends with the signal', async () => {
  const session = claude();
  use(session, 30);
  const child = spawn(process.execPath, [RELAY, 'watch', '--json'], { cwd: project, env: ann.env, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  const ended = new Promise((done) => child.on('close', (_, signal) => done(signal)));
  await sleep(1500);
  for (const percent of [81, 82, 92]) {
    use(session, percent);
    await sleep(percent === 81 ? 4000 : 3500);
  }
  child.kill('SIGINT');
  expect(await ended).toBe('SIGINT');
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).percent),
  ).toEqual([81, 92]);
  const people = await place.relay(ann, project, 'watch', '--once');
  expect(people).toMatchObject({ code: 0, stdout: '' });
  expect(people.stderr).toContain(`claude-code:${session.id} uses 92 % of its context`);
});

it('needs a repository', async () => {
  expect((await place.relay(ann, ann.home, 'watch', '--once')).code).toBe(2);
});
