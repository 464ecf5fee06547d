import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { layOut } from '../../support/fixtures.ts';
import { lab, RELAY } from '../../support/lab.ts';
import { runProgram } from '../../support/processes.ts';
import type { Prove } from '../world.ts';
import { verdicts } from './fidelity.ts';

/** An import on one machine, in a folder without Git; a trace of system calls shows no connection to anywhere. */
export const prove: Prove = async (input, prover) => {
  await verdicts(input, prover, 'local');
  if (spawnSync('strace', ['-V']).error) return prover.check(false, 'strace is there to watch connections', 'apt-get install strace');
  const w = lab();
  try {
    const ann = w.person('ann');
    const session = layOut(input.agent, input.path, ann.home, join(w.root, 'notes'));
    const trace = join(w.root, 'trace');
    const traced = await runProgram(
      'strace',
      [
        '-f',
        '-ff',
        '-qq',
        '-e',
        'trace=connect,sendto,sendmsg',
        '-o',
        trace,
        process.execPath,
        RELAY,
        'import',
        `${session.agent}:${session.id}`,
        '--to',
        prover.to,
        '--json',
      ],
      { cwd: session.cwd, env: ann.env, timeout: 120_000 },
    );
    prover.check(traced.code === 0, 'the import works under a trace', traced.stderr);
    const calls = readdirSync(w.root)
      .filter((name) => name.startsWith('trace.'))
      .flatMap((name) => readFileSync(join(w.root, name), 'utf8').split('\n'))
      .filter((line) => /AF_INET6?/.test(line));
    prover.check(calls.length === 0, 'no connection to anywhere', calls.slice(0, 5).join('\n'));
    rmSync(trace, { force: true });
  } finally {
    w.done();
  }
};
