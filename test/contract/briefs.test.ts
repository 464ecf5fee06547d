import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scoreBrief } from '../support/brief-score.ts';

const root = fileURLToPath(new URL('../briefs', import.meta.url));
const labelled = readdirSync(root).filter((name) => existsSync(join(root, name, 'expected.json')));

describe('the brief of a labelled session', () => {
  it('there are at least twelve of them', () => expect(labelled.length).toBeGreaterThanOrEqual(12));
  it.each(labelled)('%s: holds every fact, no forbidden claim, all that must not be cut; each citation says so', async (name) => {
    expect((await scoreBrief(join(root, name))).faults).toEqual([]);
  });
});
