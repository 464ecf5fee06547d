import { expect, it } from 'vitest';
import { dryRunOf } from '#hooks/dry-run.ts';

it.each<[string, boolean | undefined]>([
  ['git push', false],
  ['git push --dry-run', true],
  ['/usr/bin/git -C there -c push.default=current push origin -n', true],
  ['git push -fn origin HEAD', true],
  ['git push -on origin', false],
  ['git push --no-verify', false],
  ['git push --dry-run --no-dry-run', false],
  ['git push origin -- -n', false],
  ['git commit -n', undefined],
  ['git -c alias.x=push commit', undefined],
  ['sh push -n', undefined],
])('%s', (line, dry) => {
  expect(dryRunOf(line.split(' '))).toBe(dry);
});
