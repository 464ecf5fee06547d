import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLines } from '#lib/lines.ts';
import { openRegular, readPiece, readRegularText } from '#lib/regular.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'relay-regular-'));
  writeFileSync(join(folder, 'file'), 'a\nb\n');
  symlinkSync(join(folder, 'file'), join(folder, 'link'));
  symlinkSync('/dev/zero', join(folder, 'zero'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('regular files', () => {
  it.each(['file', 'link'])('%s is read', async (name) => {
    expect(await readRegularText(join(folder, name))).toBe('a\nb\n');
    const lines: string[] = [];
    for await (const some of readLines(join(folder, name), 2)) for (const { bytes } of some) lines.push(bytes.toString());
    expect(lines).toEqual(['b']);
  });

  it('what is larger than asked for is not read', async () => {
    expect(await readRegularText(join(folder, 'file'), 4)).toBe('a\nb\n');
    await expect(readRegularText(join(folder, 'file'), 3)).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('is larger than 3 bytes'),
    });
  });

  it.each([
    [0, 3, 'a\nb'],
    [2, 9, 'b\n'],
    [4, 1, ''],
  ])('from byte %i on gives up to %i bytes', async (start, length, expected) => {
    await using file = await openRegular(join(folder, 'file'));
    expect((await readPiece(file, start, length)).toString()).toBe(expected);
  });

  it.each(['pipe', 'zero', '.'])('%s is refused without waiting', async (name) => {
    await expect(openRegular(join(folder, name))).rejects.toMatchObject({ code: 'not-found' });
    await expect(readLines(join(folder, name)).next()).rejects.toMatchObject({ code: 'not-found' });
  });
});
