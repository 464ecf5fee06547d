import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathMap } from '#redact/index.ts';

const HOMES = [
  '/home/ann',
  '/root',
  '/u',
  '/',
  '',
  '/Users/安娜',
  '/home/a b',
  '/home/a"b',
  'C:\\Users\\ann',
  '/home/${HOME}',
  '/x/$',
  '/home/a\\b',
  '/home/a%b',
  '/home/ann.lee',
  '/home/😀',
  '\\\\server\\users\\ann',
  'd:\\ann',
  '/a',
  '/root/',
  '/home/ann/proj/home',
];
const PROJECTS = [
  '/home/ann/proj',
  '/root/p',
  '/srv/项目',
  '/u',
  '/home/ann',
  'C:\\Users\\ann\\proj',
  '/a/b"c',
  '/home/a b/proj',
  '/x/${PROJECT:real}',
  '/p\\n/q',
  '\\\\server\\share\\proj',
  '/home/ann/proj/sub',
  '/home',
  'C:\\Users\\ann',
];
const ALSO = ['/private/proj', '/mnt/c/Users/ann', '/real/ann'];

const oneOf = (values: string[]) => fc.constantFrom(...values);
const map = fc
  .record({ home: oneOf(HOMES), homeAlso: fc.option(oneOf(ALSO)), project: oneOf(PROJECTS), projectAlso: fc.option(oneOf(ALSO)) })
  .map(({ home, homeAlso, project, projectAlso }) => ({
    paths: [home, project, ...(homeAlso ? [homeAlso] : []), ...(projectAlso ? [projectAlso] : [])],
    map: pathMap({ home: homeAlso ? [home, homeAlso] : home, roots: [{ token: 'PROJECT', path: projectAlso ? [project, projectAlso] : project }] }),
  }));

const GLUE = [
  '',
  ' ',
  '/',
  '\\',
  '"',
  '$',
  '$$',
  '{',
  '}',
  ':',
  '.',
  '-',
  '_',
  'x',
  'é',
  '看',
  '\n',
  '\\n',
  '\\/',
  'file://',
  'a/',
  '~',
  '=',
  '%20',
  '${HOME}',
  '${PROJECT}',
  '$${HOME}',
  '${HOME:real}',
  '${PROJECT:esc}',
  '\\/${HOME:esc}',
  '/${HOME:esc}',
  '${HOME:real:uri}',
  '${OTHER}',
  '${HO',
  'ME}',
  '\u001b[32m',
  '\ud800',
  '{"a":"',
  '"}',
  '[',
  ']',
];
const dash = (path: string) => path.replace(/[^A-Za-z0-9]/g, '-');
const forms = (path: string): string[] => [
  path,
  path.replaceAll('/', '\\/'),
  dash(path),
  JSON.stringify(path),
  JSON.stringify(JSON.stringify({ [path]: path })),
  path.replaceAll('\\', '/'),
  `file://${encodeURI(path)}`,
  `{"p":"${path.replaceAll('/', '\\/')}"}`,
];
const text = (paths: string[]) =>
  fc.array(fc.oneof(oneOf(GLUE), oneOf(paths.filter(Boolean).flatMap(forms)), fc.string({ maxLength: 6 })), { maxLength: 10 }).map((parts) => parts.join(''));
const json = (paths: string[]) => fc.object({ maxDepth: 3, values: [text(paths), fc.integer()], key: text(paths) }).map((value) => JSON.stringify(value));

describe('path mapping', () => {
  test('decode gives back every text that encode was given', () => {
    const cases = map.chain((one) =>
      fc.tuple(
        fc.constant(one),
        fc.oneof(
          text(one.paths),
          json(one.paths),
          json(one.paths).map((inner) => JSON.stringify({ inner })),
        ),
      ),
    );
    fc.assert(
      fc.property(cases, ([{ map }, value]) => {
        expect(map.decode(map.encode(value))).toBe(value);
      }),
      { numRuns: 6000 },
    );
  });

  test('JSON stays JSON on a machine whose paths hold quotes and backslashes, at any depth', () => {
    const from = pathMap({ home: '/home/ann', roots: [{ token: 'PROJECT', path: '/home/ann/proj' }] });
    const to = pathMap({ home: 'C:\\Users\\"bob"', roots: [{ token: 'PROJECT', path: 'D:\\work\\"p"' }] });
    fc.assert(
      fc.property(json(['/home/ann', '/home/ann/proj']), fc.integer({ min: 0, max: 3 }), (value, depth) => {
        let nested = value;
        for (let i = 0; i < depth; i++) nested = JSON.stringify({ nested });
        let back = to.decode(from.encode(nested));
        for (let i = 0; i < depth; i++) back = JSON.parse(back).nested;
        expect(() => JSON.parse(back)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});
