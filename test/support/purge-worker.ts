/** Purges in a process of its own: <repo> <value piped in>. Prints what was done. */
import { scrubbing } from '#flows/scrub.ts';
import { chooseRemote, findRepository } from '#git/repository.ts';
import { openStore } from '#store/index.ts';

const [repo = ''] = process.argv.slice(2);
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const repository = await findRepository(repo, process.env);
if (!repository) throw new Error(`${repo} is no repository`);
const store = await openStore(repository, { env: process.env, home: process.env.HOME ?? '', scrubbing: async () => scrubbing(async () => {}) });
const done = await store.purge(await chooseRemote(repository), { values: [Buffer.concat(chunks).toString('utf8')] });
process.stdout.write(`${JSON.stringify(done)}\n`);
