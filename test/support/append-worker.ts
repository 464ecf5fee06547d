/** Appends turns to a session in a process of its own: <repo> <session> <id> <rounds> [lines a round] [send]. Prints each round that is stored (and sent). */
import { chooseRemote, findRepository } from '#git/repository.ts';
import { openStore } from '#store/index.ts';
import { grow, makeLines } from './sessions.ts';

const [repo = '', session = '', id = '', rounds = '1', lines = '1', send = ''] = process.argv.slice(2);
const repository = await findRepository(repo, process.env);
if (!repository) throw new Error(`${repo} is no repository`);
const store = await openStore(repository, { env: process.env, home: process.env.HOME ?? '' });
for (let round = 0; round < Number(rounds); round++) {
  const filler = makeLines(Number(lines) - 1, `${id} ${round}`);
  const done = await store.append(session, grow([...filler, JSON.stringify({ by: id, round })]));
  if (send) await store.send(await chooseRemote(repository));
  process.stdout.write(`${JSON.stringify({ id, round, n: done.n })}\n`);
}
