/** What records sessions in this repository by itself, and how that goes. */
export interface Recording {
  git: {
    /** all of them are in place, and so is what they call */
    installed: boolean;
    /** `git push` sends along what is pending */
    prePush: boolean;
    /** what is wrong with those that were installed */
    problems: NotRecording[];
  };
  agents: { agent: string; title: string; installed: boolean; runs?: boolean; fix?: string }[];
  /** what is in the way of a worker */
  obstacles: NotRecording[];
  queue: { waiting: number; since?: string /** a worker is busy with it */; worked: boolean };
  /** when something was recorded last; ISO 8601 */
  last?: string;
  /** what failed since, with the session it is about */
  failed?: { at: string; session?: string; error: string };
}

/** Something that is not recorded: a sentence, and the command or step that mends it. */
export interface NotRecording {
  why: string;
  fix: string;
}

/** A worker begins at once; what has waited for longer nobody works on. In ms. */
const SOON = 60_000;

/** "2 events wait since …"; "no event waits" */
export const waitingAsWords = ({ waiting, since }: Recording['queue']): string =>
  waiting === 0 ? 'no event waits' : `${waiting === 1 ? '1 event waits' : `${waiting} events wait`} since ${since}`;

/** Why sessions of this repository are not recorded, or not all of them; none: they are. */
export function whyNotRecording({ git, agents, obstacles, queue, failed }: Recording, now: Date): NotRecording[] {
  const found: NotRecording[] = [...obstacles, ...git.problems];
  if (!git.installed && !git.problems.length && !agents.some(({ installed }) => installed))
    found.push({ why: 'No hooks are installed, so only what you push by hand is recorded.', fix: 'relay hooks install' });
  if (queue.since !== undefined && !queue.worked && !obstacles.length && now.getTime() - Date.parse(queue.since) > SOON)
    found.push({
      why: `Nothing works on what is to be recorded: ${waitingAsWords(queue)}.`,
      fix: 'relay hook --work',
    });
  if (failed)
    found.push({
      why: `${failed.session ?? 'What waits'} could not be recorded: ${failed.error}`,
      fix: failed.session ? `relay push --no-send ${failed.session}` : 'relay hook --work',
    });
  // git's hooks record a session all the same, with each commit.
  for (const { title, installed, runs, fix } of agents)
    if (installed && runs === false)
      found.push({
        why: `What ${title} does${git.installed ? ' between commits' : ''}: it does not run relay’s hooks.`,
        fix: fix ?? 'relay doctor',
      });
  return found;
}
