import { setPriority } from 'node:os';
import { workspace } from '#flows/context.ts';
import { unattended } from '#git/env.ts';
import { namedFrom } from '#git/repository.ts';
import { stopRunning, stopWithSignals } from '#git/run.ts';
import { work } from '#hooks/worker.ts';
import { processIo } from '#io/io.ts';

/** `relay hook --work`: records what waits in the queue of the repository here, or of the one that `--git-dir` names. It has no terminal: what goes wrong stands in its log. */
try {
  // Whoever works at this machine goes first.
  setPriority(10);
} catch {
  // Then not.
}
stopWithSignals();
const gone = (): never => {
  stopRunning();
  process.exit();
};
const io = processIo();
const [, gitDir] = /\0--git-dir\0([^\0]+)/.exec(`\0${process.argv.join('\0')}`) ?? [];
workspace({ ...io, env: unattended(io.env), ...(gitDir === undefined ? {} : { named: namedFrom(io.cwd, gitDir) }) })
  .then((ws) => work(ws, { send: true, gone }))
  .catch(() => {
    // No repository, a store of a newer relay, a full disk: the events stay in the queue.
  })
  .finally(() => process.exit());
