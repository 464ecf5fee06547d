import { execFile } from 'node:child_process';

/** A program answers at once, or is not asked any longer; in ms. */
const PATIENCE = 10_000;

/** The version that a program says it has, e.g. 2.1.332. `absent`: there is none of this name; undefined: it says nothing that looks like a version. */
export function versionOf(program: string, env: Record<string, string | undefined>): Promise<string | 'absent' | undefined> {
  return new Promise((done) => {
    const child = execFile(program, ['--version'], { env: env as NodeJS.ProcessEnv, timeout: PATIENCE, windowsHide: true }, (error, stdout) => {
      if ((error as NodeJS.ErrnoException | null)?.code === 'ENOENT') done('absent');
      else done(error ? undefined : /\d+(?:\.\d+)+\S*/.exec(stdout)?.[0]);
    });
    child.stdin?.end();
  });
}
