import { setTimeout as sleep } from 'node:timers/promises';
import { needAccepted } from '#flows/accepted.ts';
import { workspace } from '#flows/context.ts';
import { useAsWords } from '#flows/watch-notice.ts';
import { type Round, watcher } from '#flows/watch-round.ts';
import { needRepository, type Workspace } from '#flows/workspace.ts';
import { unattended } from '#git/env.ts';
import { stopWithSignals } from '#git/run.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { count } from '#report/index.ts';

interface Options {
  json?: boolean;
  once?: boolean;
}

/** Between two looks, in ms. A look that finds nothing new costs one `stat` a session. */
const PAUSE = 2000;

/** relay watch */
export async function watch(io: Io, options: Options): Promise<number> {
  const open = async (): Promise<Workspace> => {
    const now = await workspace({ ...io, env: unattended(io.env) });
    needAccepted(now, 'watch', ...(now.settings.push.auto ? (['send'] as const) : []));
    needRepository(now);
    return now;
  };
  stopWithSignals();
  const ws = await open();
  const { at } = ws.settings.watch;
  if (at === 0) throw new RelayError('usage', 'The settings say that no session is ever handed on (watch.at is 0).', 'Set it to a percentage, e.g. 80.');
  const look = watcher(open);
  const first = await look();
  if (options.once && options.json) printJson(io, first);
  else {
    tell(io, first, options);
    const full = `a session is recorded${ws.settings.watch.standby ? ` and imported into ${ws.settings.watch.standby}` : ''} at ${at} % of its context`;
    if (!options.json) io.stderr.write(`${overview(first)}${options.once ? '' : `Watching this project: ${full}. Ctrl-C ends it.\n`}`);
  }
  if (options.once) return 0;
  let trouble = '';
  for (;;) {
    await sleep(PAUSE);
    try {
      tell(io, await look(), options);
      trouble = '';
    } catch (error) {
      // A file that is gone, a full disk: it may be better next time. It is said once.
      const { message } = error as Error;
      if (message !== trouble) io.stderr.write(`relay: ${message}\n`);
      trouble = message;
    }
  }
}

/** Of what is handed on a notice for people, or a document a line. */
function tell(io: Io, { handedOn }: Round, { json }: Options): void {
  for (const one of handedOn) io.stdout.write(json ? `${JSON.stringify(one)}\n` : `${one.notice}\n`);
}

function overview({ sessions }: Round): string {
  const lines = sessions.map((one) => `  ${one.agent}:${one.session} uses ${useAsWords(one)}\n`);
  return `${count(sessions.length, 'session')} of this project in use.\n${lines.join('')}`;
}
