import { createHash } from 'node:crypto';
import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectsText } from '../../support/git-text.ts';
import { readLines } from '../../support/read-calls.ts';
import { installed, requestItems, strings } from '../../support/resume.ts';
import { type ImportJson, inWorld, nameOf, type Prove, type PushJson, writeFileAt } from '../world.ts';

const FILES = {
  'src/same.ts': 'export const same = 1;\n',
  'src/changed.ts': 'export const changed = 1;\n',
  'src/deleted.ts': 'export const deleted = 1;\n',
  'src/renamed.ts': 'export const renamed = "old name";\n',
};

/** One changed, one deleted, one renamed, one same file: check, import and the model's request all say so, after the working directory. */
export const prove: Prove = (input, prover) =>
  inWorld(
    input,
    prover,
    async (w) => {
      const secret = 'made-up content of an ignored file 4711\n';
      writeFileSync(join(w.annProject, '.git/info/exclude'), '.env\n');
      writeFileAt(join(w.annProject, '.env'), secret);
      appendFileSync(w.session.path, `${readLines(w.session, [...Object.keys(FILES), '.env']).join('\n')}\n`);
      const pushed = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
      const handoff = pushed.handoffs[0]?.handoff ?? '';
      writeFileSync(join(w.bobProject, 'src/changed.ts'), 'export const changed = 2;\n');
      rmSync(join(w.bobProject, 'src/deleted.ts'));
      renameSync(join(w.bobProject, 'src/renamed.ts'), join(w.bobProject, 'src/new-name.ts'));
      await w.json(w.bob, w.bobProject, 'pull');
      const want = { 'src/same.ts': 'same', 'src/changed.ts': 'changed', 'src/deleted.ts': 'missing', 'src/renamed.ts': 'renamed' };
      const asExpected = (drift: ImportJson['drift']) =>
        Object.entries(want).every(([path, state]) => drift.find((d) => d.path === path)?.state === state) &&
        drift.find((d) => d.path === 'src/renamed.ts')?.to === 'src/new-name.ts';
      const checked = await w.json<{ drift: ImportJson['drift'] }>(w.bob, w.bobProject, 'check', handoff);
      prover.check(asExpected(checked.drift), 'relay check --json names same, changed, missing and renamed', JSON.stringify(checked.drift));
      const client = await installed(w.bob, prover.to);
      const imported = await w.json<ImportJson>(w.bob, w.bobProject, 'import', handoff, '--to', prover.to);
      prover.check(asExpected(imported.drift), 'relay import --json does too', JSON.stringify(imported.drift));
      const text = strings(requestItems(await client.resume(imported))).join('\n');
      await client.close();
      const at = (part: string) => text.indexOf(part);
      const first = at(`Working directory: ${w.bobProject}`);
      prover.check(first >= 0 && Object.keys(want).every((path) => at(path) >= 0), "the model's request names the working directory and every file");
      prover.check(
        /Changed: [^\n]*src\/changed\.ts/.test(text) &&
          /Missing: [^\n]*src\/deleted\.ts/.test(text) &&
          /Renamed: [^\n]*src\/renamed\.ts -> src\/new-name\.ts/.test(text) &&
          first < at('Changed: '),
        'it says their states, after the working directory',
      );
      const hashes = [
        createHash('sha256').update(secret).digest('hex'),
        createHash('sha1').update(secret).digest('hex'),
        createHash('sha1').update(`blob ${secret.length}\0${secret}`).digest('hex'),
      ];
      const objects = objectsText(join(w.annProject, '.git/relay/store.git')) + objectsText(w.remote);
      prover.check(!hashes.some((hash) => objects.includes(hash)), 'no hash of the ignored .env is in any object');
    },
    { files: FILES },
  );
