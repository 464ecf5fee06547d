import { describe, expect, test } from 'vitest';
import { errorsIn } from '#context/brief/error-lines.ts';
import { errors } from '#context/brief/errors.ts';
import { change, run, type Told, told } from '../support/session-told.ts';

const stated = (output: string): string[] => errorsIn(output.split('\n').filter(Boolean)).errors.map(({ quotes }) => quotes.join(' | '));

describe('the errors that an output names', () => {
  test.each<[string, string, string[]]>([
    [
      'pytest',
      "E   assert -1 == 3\nE    +  where -1 = add(1, 2)\n\ntest_a.py:2: AssertionError\n=== short test summary info ===\nFAILED test_a.py::test_add - assert -1 == 3\nFAILED test_a.py::TestX::test_key - KeyError: 'tax'\n2 failed, 1 passed in 0.04s",
      ['FAILED test_a.py::test_add - assert -1 == 3', "FAILED test_a.py::TestX::test_key - KeyError: 'tax'"],
    ],
    [
      'pytest, the reason apart',
      "E   NameError: name 'NO_ZONE' is not defined\na.py:44: NameError\nFAILED t.py::test_x - NameError",
      ["FAILED t.py::test_x - NameError | name 'NO_ZONE' is not defined"],
    ],
    [
      'go test',
      '--- FAIL: TestAdd (0.00s)\n    a_test.go:3: got -1, want 3\nFAIL\nFAIL\tex\t0.005s\nFAIL',
      ['--- FAIL: TestAdd (0.00s) | a_test.go:3: got -1, want 3'],
    ],
    ['go build', '# ex\n./a.go:3:14: undefined: undefinedThing', ['./a.go:3:14: undefined: undefinedThing']],
    [
      'cargo test',
      "test tests::zero ... ok\ntest tests::adds ... FAILED\n\nthread 'tests::adds' (16036) panicked at src/lib.rs:2:58:\nassertion `left == right` failed\nerror: test failed, to rerun pass `--lib`",
      ["test tests::adds ... FAILED | thread 'tests::adds' (16036) panicked at src/lib.rs:2:58: | assertion `left == right` failed"],
    ],
    [
      'rustc',
      'error[E0308]: mismatched types\n --> src/lib.rs:3:14\n  |\nerror: could not compile `ex` (lib) due to 1 previous error',
      ['error[E0308]: mismatched types | src/lib.rs:3:14'],
    ],
    [
      'tsc',
      "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
      ["src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'."],
    ],
    [
      'vitest',
      ' FAIL  test/a.test.ts > sum > adds\nAssertionError: expected 1 to be 2 // Object.is equality\n ❯ test/a.test.ts:3:20\n',
      ['FAIL  test/a.test.ts > sum > adds | AssertionError: expected 1 to be 2 // Object.is equality'],
    ],
    [
      'node',
      "null.x\n     ^\n\nTypeError: Cannot read properties of null (reading 'x')\n    at [eval]:1:6",
      ["TypeError: Cannot read properties of null (reading 'x')"],
    ],
    ['node --test', 'not ok 1 - adds\n  ---\nok 2 - zero', ['not ok 1 - adds']],
    [
      'gcc',
      "main.c:7:5: error: 'x' undeclared (first use in this function)\nmain.c:7:5: note: each undeclared identifier is reported once",
      ["main.c:7:5: error: 'x' undeclared (first use in this function)"],
    ],
    [
      'Java',
      'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat a.B.c(B.java:3)',
      ['Exception in thread "main" java.lang.OutOfMemoryError: Java heap space'],
    ],
    ['git', 'error: failed to push some refs\nfatal: not a git repository', ['error: failed to push some refs', 'fatal: not a git repository']],
    ['a missing program', 'bash: line 1: hyperfine: command not found', ['bash: line 1: hyperfine: command not found']],
    [
      'gtest',
      '[ RUN      ] ota.bad_signature\n[  FAILED  ] ota.bad_signature (0 ms)\n[  FAILED  ] ota.bad_signature',
      ['[  FAILED  ] ota.bad_signature (0 ms)'],
    ],
    ['Flutter', '00:01 +1 -1: tiles offline [E]\n  Expected: <48>\n    Actual: <44>', ['00:01 +1 -1: tiles offline [E] | Expected: <48> | Actual: <44>']],
    [
      'Terraform',
      '╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 12:\n│ An argument named "zones" is not expected here. Did you mean "zone"?\n╵',
      ['Error: Unsupported argument | An argument named "zones" is not expected here. Did you mean "zone"?'],
    ],
    ['nothing wrong', 'All good\n0 errors\nno failures\nerror handling: done', []],
    ['eslint counts', '✖ 5 problems (3 errors, 2 warnings)', []],
    ['the same error twice', 'TypeError: x is 1\nTypeError: x is 2', ['TypeError: x is 1']],
  ])('%s', (_, output, expected) => expect(stated(output)).toEqual(expected));

  test('of many the first, and how many more', () => {
    const lines = Array.from({ length: 30 }, (_, n) => `FAILED t.py::test_${'abcdefghijklmnopqrstuvwxyzäöüß'[n]} - x`);
    expect(errorsIn(lines)).toMatchObject({ errors: { length: 8 }, more: 22 });
  });
});

const FAIL = { exit: 1 };
const texts = (things: readonly Told[]): string[] => errors(told(things)).map(({ text, mark }) => `${text}${mark && ` ${mark}`}`);

describe('errors and what became of them', () => {
  test.each<[string, Told[], string[]]>([
    [
      'fixed by a change',
      [run('npm test', 'TypeError: tax is not a function', FAIL), change('changed', 'src/tax.ts'), run('npm test', 'Tests 3 passed')],
      ['"TypeError: tax is not a function" in `npm test`; fixed: passes in E#3 after changes to src/tax.ts (E#2)'],
    ],
    [
      'not fixed',
      [run('npm test', 'TypeError: tax is not a function', FAIL), change('changed', 'src/tax.ts')],
      ['"TypeError: tax is not a function" in `npm test`; no later run shows that it has gone (not shown to be fixed)'],
    ],
    [
      'still there',
      [run('npm test', 'TypeError: a is 1', FAIL), run('npm test', 'TypeError: a is 2', FAIL)],
      ['"TypeError: a is 1" in `npm test`, last seen in E#2; no later run shows that it has gone (not shown to be fixed)'],
    ],
    [
      'gone, and another one came',
      [run('npm test', 'TypeError: tax is', FAIL), run('npm test', 'RangeError: sum is', FAIL)],
      [
        '"TypeError: tax is" in `npm test`; fixed: gone in E#2',
        '"RangeError: sum is" in `npm test`; no later run shows that it has gone (not shown to be fixed)',
      ],
    ],
    [
      'back again',
      [run('npm test', 'TypeError: tax', FAIL), run('npm test', '1 passed'), run('npm test', 'TypeError: tax', FAIL)],
      ['"TypeError: tax" in `npm test`, last seen in E#3; no later run shows that it has gone (not shown to be fixed)'],
    ],
    [
      'the whole passes',
      [run('pytest tests/test_a.py', 'FAILED tests/test_a.py::test_x - assert 1', FAIL), run('pytest', '9 passed')],
      ['"FAILED tests/test_a.py::test_x - assert 1" in `pytest tests/test_a.py`; fixed: passes in E#2'],
    ],
    [
      'another check passes',
      [run('npx tsc', 'src/a.ts(3,5): error TS2322: no', FAIL), run('npx eslint .')],
      ['"src/a.ts(3,5): error TS2322: no" in `npx tsc`; no later run shows that it has gone (not shown to be fixed)'],
    ],
    [
      'a command that is no check',
      [run('node migrate.js', 'Error: no such table', FAIL), run('node migrate.js', 'done')],
      ['"Error: no such table" in `node migrate.js`; fixed: passes in E#2'],
    ],
    ['nothing was found', [run('grep -rn TODO src', '', FAIL), run('ls nope', 'ls: nope: No such file or directory', FAIL)], []],
    [
      'who says why',
      [
        run('npm test', 'TypeError: tax is not a function', FAIL),
        { assistant: 'Let me look. The reason is that tax.ts exports an object, not a function.' },
        change('changed', 'src/tax.ts'),
        run('npm test', 'ok 3 passed'),
      ],
      [
        '"TypeError: tax is not a function" in `npm test`; fixed: passes in E#3 after changes to src/tax.ts (E#2); assistant: "The reason is that tax.ts exports an object, not a function." (#1)',
      ],
    ],
    [
      'who says why, in Chinese',
      [run('npm test', 'Error: region 为空', FAIL), { assistant: '原因是 region 字段没有传。' }, run('npm test', '3 passed')],
      ['"Error: region 为空" in `npm test`; fixed: passes in E#2; assistant: "原因是 region 字段没有传。" (#1)'],
    ],
    [
      'what the change put in the place of what',
      [
        run('npm test', 'Error: deadlock detected', FAIL),
        change('changed', 'b.sql', { swaps: [['SELECT 1\n  FROM a\nGO', 'SELECT 1\n  FROM a ORDER BY id\nGO']] }),
        run('npm test', '3 passed'),
      ],
      ['"Error: deadlock detected" in `npm test`; fixed: passes in E#3 after changes to b.sql (E#2: `FROM a` -> `FROM a ORDER BY id`)'],
    ],
    [
      'what helps stands behind the reason',
      [
        run('npm test', 'Error: deadlock detected', FAIL),
        { assistant: 'The deadlock comes from batches without an order. With ORDER BY id both lock alike.' },
        run('npm test', '3 passed'),
      ],
      [
        '"Error: deadlock detected" in `npm test`; fixed: passes in E#2; assistant: "The deadlock comes from batches without an order. With ORDER BY id both lock alike." (#1)',
      ],
    ],
    [
      'a claim is no reason',
      [run('npm test', 'TypeError: tax is not a function', FAIL), { assistant: 'The tax function is fixed.' }, run('npm test', '1 failed', FAIL)],
      ['"TypeError: tax is not a function" in `npm test`; no later run shows that it has gone (not shown to be fixed)'],
    ],
    [
      'refused',
      [run('rm -rf data', '', { state: 'refused', by: 'user', said: 'no, the data stays' })],
      ['not run, refused by the user: `rm -rf data`: "no, the data stays"'],
    ],
  ])('%s', (_, things, expected) => expect(texts(things)).toEqual(expected));
});
