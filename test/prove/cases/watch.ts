import type { Round } from '#flows/watch-round.ts';
import { answerMore } from '../../support/context.ts';
import { RELAY } from '../../support/lab.ts';
import { ownSettings } from '../../support/own-settings.ts';
import { runProgram } from '../../support/processes.ts';
import { inWorld, type Prove, type World } from '../world.ts';

/** A session that passes 80 % of its context gives one handoff, one import and one notice, whoever looks; and again only once it has grown by a tenth. */
export const prove: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    // A first version, which makes relay's folder in the clone.
    await w.json(w.ann, w.annProject, 'push', '--no-send', `${w.session.agent}:${w.session.id}`);
    ownSettings(w.ann, { watch: { standby: prover.to } });
    answerMore(w.session, 1000);
    const window = (await once(w)).sessions[0]?.window ?? 0;
    const fill = (percent: number) => answerMore(w.session, Math.ceil((window * percent) / 100));
    const became = async (): Promise<number> => {
      const { sessions } = await w.json<{ sessions: { agent: string; id: string }[] }>(w.ann, w.annProject, 'sessions', '--agent', prover.to);
      return sessions.filter(({ id }) => id !== w.session.id).length;
    };

    fill(79);
    prover.check((await once(w)).handedOn.length === 0, `nothing at 79 % of ${window} tokens`);

    fill(81);
    const notices = (await Promise.all([watched(w), hooked(w), watched(w), hooked(w)])).flat();
    prover.check(notices.length === 1, `${notices.length} notice at 81 %, of two hooks and two watches at once`, notices.join('\n'));
    prover.check((await became()) === 1, 'one import');
    const { handoffs } = await w.json<{ handoffs: { handoff: string; session: string }[] }>(w.ann, w.annProject, 'list');
    prover.check(handoffs.length === 1 && handoffs[0]?.session === w.session.id, 'one handoff', JSON.stringify(handoffs));
    prover.check(
      new RegExp(`\\ncd .* && ${prover.to === 'codex' ? 'codex resume' : 'claude --resume'} \\S+$`).test(notices[0] ?? ''),
      'it names the resume command',
    );

    for (const percent of [85, 90]) {
      fill(percent);
      prover.check((await Promise.all([watched(w), hooked(w)])).flat().length === 0, `nothing at ${percent} %`);
    }
    fill(92);
    prover.check((await Promise.all([hooked(w), watched(w)])).flat().length === 1, 'one notice at 92 %');
    prover.check((await became()) === 2, 'and one more import');
  });

const once = (w: World): Promise<Round> => w.json<Round>(w.ann, w.annProject, 'watch', '--once');
const watched = async (w: World): Promise<string[]> => (await once(w)).handedOn.map(({ notice }) => notice);

/** What the agent's hook says at the end of a turn. */
async function hooked({ ann, session }: World): Promise<string[]> {
  const payload = { hook_event_name: 'Stop', session_id: session.id, transcript_path: session.path, cwd: session.cwd };
  const { stdout } = await runProgram(process.execPath, [RELAY, 'hook'], { cwd: session.cwd, env: ann.env, input: JSON.stringify(payload) });
  return stdout ? [(JSON.parse(stdout) as { systemMessage: string }).systemMessage] : [];
}
