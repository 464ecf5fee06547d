import { readFileSync } from 'node:fs';
import { layOut } from '../../support/fixtures.ts';
import { writeLines } from '../../support/generate.ts';
import { growTurns } from '../../support/grow.ts';
import { inWorld, nameOf, type Prove, type PushJson, type World } from '../world.ts';

const ROUNDS = 50;
const PROCESSES = 8;
const SNAPSHOTS = 10;

interface ShowJson {
  handoff: string;
  version: number;
  records: { stream: string; record: number; content?: { type: string; text?: string }[] }[];
}

/** Two people at once, eight processes at once, and one session continued by two: nothing is lost. */
export const prove: Prove = async (input, prover) => {
  await inWorld(input, prover, (w) => twoPeople(w, prover, input));
  await inWorld(input, prover, (w) => eightProcesses(w, prover));
  await inWorld(input, prover, (w) => fork(w, prover));
};

const refsOf = (w: World): string[] => w.git(w.ann, w.remote, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n');

async function twoPeople(w: World, prover: Parameters<Prove>[1], input: Parameters<Prove>[0]): Promise<void> {
  const theirs = layOut(input.agent, input.path, w.bob.home, w.bobProject);
  let moved = 0;
  const tips = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) {
    growTurns(w.session, 1, round);
    growTurns(theirs, 1, 1000 + round);
    await Promise.all([w.json(w.ann, w.annProject, 'push', nameOf(w.session)), w.json(w.bob, w.bobProject, 'push', nameOf(theirs))]);
    for (const line of refsOf(w).filter((l) => l.startsWith('refs/relay/s/'))) {
      const [name = '', tip = ''] = line.split(' ');
      const before = tips.get(name);
      if (before && before !== tip) w.git(w.ann, w.remote, 'merge-base', '--is-ancestor', before, tip);
      if (before !== tip) moved++;
      tips.set(name, tip);
    }
  }
  prover.check(
    tips.size === 2 && moved === 2 * ROUNDS,
    `${ROUNDS} rounds of two pushes at once: ${moved} versions on the remote, each on top of the one before`,
  );
  fsck(w, prover, w.remote, 'the remote');
}

async function eightProcesses(w: World, prover: Parameters<Prove>[1]): Promise<void> {
  const markers: string[] = [];
  const one = async (p: number): Promise<void> => {
    for (let n = 0; n < SNAPSHOTS; n++) {
      const text = `marker ${p}-${n} of one session`;
      markers.push(text);
      writeLines(w.session.path, [userLine(w, text)], 'a');
      await w.json(w.ann, w.annProject, 'push', nameOf(w.session), '--no-send');
    }
  };
  await Promise.all(Array.from({ length: PROCESSES }, (_, p) => one(p)));
  const pushed = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  const text = JSON.stringify(await w.json<ShowJson>(w.ann, w.annProject, 'show', pushed.handoffs[0]?.handoff ?? ''));
  const lost = markers.filter((marker) => !text.includes(marker));
  prover.check(
    !lost.length,
    `${PROCESSES} processes × ${SNAPSHOTS} snapshots of one session: all ${markers.length} turns are in the last version`,
    lost.join(', '),
  );
  fsck(w, prover, `${w.annProject}/.git/relay/store.git`, 'the store');
  await eightSessions(w, prover);
}

async function eightSessions(w: World, prover: Parameters<Prove>[1]): Promise<void> {
  const sessions = Array.from({ length: PROCESSES }, (_, p) => copyOf(w, p));
  const missing: string[] = [];
  await Promise.all(
    sessions.map(async (session, p) => {
      for (let n = 0; n < SNAPSHOTS; n++) {
        writeLines(session.path, [userLine({ ...w, session }, `marker ${p}-${n} of eight sessions`)], 'a');
        await w.json(w.ann, w.annProject, 'push', nameOf(session), '--no-send');
      }
    }),
  );
  for (const [p, session] of sessions.entries()) {
    const text = JSON.stringify(await w.json<ShowJson>(w.ann, w.annProject, 'show', nameOf(session)));
    for (let n = 0; n < SNAPSHOTS; n++) if (!text.includes(`marker ${p}-${n} of eight sessions`)) missing.push(`${p}-${n}`);
  }
  prover.check(!missing.length, `${PROCESSES} processes on ${PROCESSES} sessions: every turn is in its session's last version`, missing.join(', '));
  const listed = await w.json<{ handoffs: { session: string }[] }>(w.ann, w.annProject, 'list');
  prover.check(
    sessions.every((s) => listed.handoffs.some((h) => h.session === s.id)),
    'relay list has all of them',
  );
  fsck(w, prover, `${w.annProject}/.git/relay/store.git`, 'the store');
}

/** Bob goes on with Ann's handoff while she goes on too: two chains, both tails kept. */
async function fork(w: World, prover: Parameters<Prove>[1]): Promise<void> {
  const first = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  await w.json(w.bob, w.bobProject, 'pull');
  const imported = await w.json<{ session: string; path: string; agent: World['session']['agent'] }>(
    w.bob,
    w.bobProject,
    'import',
    first.handoffs[0]?.handoff ?? '',
    '--to',
    w.session.agent,
  );
  const theirs = { agent: imported.agent, id: imported.session, path: imported.path, cwd: w.bobProject };
  growTurns(theirs, 2, 77);
  growTurns(w.session, 2, 78);
  const [bob, ann] = [
    await w.json<PushJson>(w.bob, w.bobProject, 'push', nameOf({ ...w.session, ...theirs })),
    await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session)),
  ];
  const [b, a] = [bob.handoffs[0], ann.handoffs[0]];
  prover.check(a !== undefined && b !== undefined && a.handoff !== b.handoff && bob.sent && ann.sent, 'both pushes go through, as two handoffs');
  const base = w.git(w.ann, w.remote, 'merge-base', a?.commit ?? '', b?.commit ?? '');
  prover.check(base === first.handoffs[0]?.commit, "Bob's first version is the child of the version it came from", `${base} ${first.handoffs[0]?.commit}`);
}

function fsck(w: World, prover: Parameters<Prove>[1], path: string, what: string): void {
  try {
    w.git(w.ann, path, 'fsck', '--strict');
    prover.check(true, `git fsck of ${what} is clean`);
  } catch (error) {
    prover.check(false, `git fsck of ${what} is clean`, String((error as { stderr?: string }).stderr ?? error));
  }
}

const userLine = (w: Pick<World, 'session'>, text: string): string => {
  const time = new Date().toISOString();
  return w.session.agent === 'claude-code'
    ? JSON.stringify({
        parentUuid: null,
        type: 'user',
        message: { role: 'user', content: text },
        uuid: crypto.randomUUID(),
        timestamp: time,
        cwd: w.session.cwd,
        sessionId: w.session.id,
      })
    : JSON.stringify({ timestamp: time, type: 'response_item', payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] } });
};

/** The same session once more, under an id of its own. */
function copyOf(w: World, p: number): World['session'] {
  const id = w.session.id.replace(/^.{8}/, `c0b1e5${p.toString(16).padStart(2, '0')}`);
  const path = w.session.path.replaceAll(w.session.id, id);
  const text = readFileSync(w.session.path, 'latin1').replaceAll(w.session.id, id);
  writeLines(
    path,
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => Buffer.from(line, 'latin1').toString('utf8')),
  );
  return { ...w.session, id, path };
}
