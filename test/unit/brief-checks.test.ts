import { describe, expect, test } from 'vitest';
import { checks } from '#context/brief/checks.ts';
import { checkOf } from '#context/shell/checks.ts';
import { commandsOf } from '#context/shell/commands.ts';
import { change, run, type Told, told } from '../support/session-told.ts';

const kindOf = (command: string): string | undefined => commandsOf(command, '/p').map(checkOf).find(Boolean)?.kind;
const keyOf = (command: string): string | undefined => commandsOf(command, '/p').map(checkOf).find(Boolean)?.key;

describe('what is a check', () => {
  test.each<[string, string | undefined]>([
    ['npm test', 'test'],
    ['pnpm -r test', 'test'],
    ['yarn lint', 'lint'],
    ['bun run build', 'build'],
    ['npm run bench -- --json', 'bench'],
    ['CI=1 npx vitest run', 'test'],
    ['python3 -m pytest -q', 'test'],
    ['poetry run pytest', 'test'],
    ['uv run --with x pytest', 'test'],
    ['go test ./...', 'test'],
    ['go vet ./...', 'lint'],
    ['go test -bench . ./x', 'bench'],
    ['cargo clippy --all-targets', 'lint'],
    ['make -j4 check', 'test'],
    ['make', 'build'],
    ['./gradlew :app:testDebug', 'test'],
    ['./mvnw -q package', 'build'],
    ['cmake --build build', 'build'],
    ['node_modules/.bin/tsc --noEmit', 'types'],
    ['ruff check .', 'lint'],
    ['curl -s http://localhost:3000/health', 'run'],
    ['hyperfine "./a" "./b"', 'bench'],
    ['docker build -t x .', 'build'],
    ['docker compose exec api pytest', 'test'],
    ['terraform plan', 'plan'],
    ['kubectl apply --dry-run=server -f x.yml', 'plan'],
    ['psql -f migrate.sql', 'run'],
    ['python scripts/bench.py', 'bench'],
    ['timeout 60 bash -lc "cd x && npm t"', 'test'],
    ['git log && echo npm test', undefined],
    ['npm install', undefined],
    ['npx vitest --version', undefined],
    ['curl https://example.com', undefined],
    ['ls tests && cat package.json', undefined],
    ['docker ps', undefined],
    ['kubectl -n shop get svc -o yaml', undefined],
    ['git status', undefined],
    ['west twister -T tests', 'test'],
    ['xcodebuild -scheme Notes test-without-building', 'test'],
    ['adb shell dumpsys gfxinfo com.x', 'run'],
    ["python - <<'EOF'\nprint(1)\nEOF", 'run'],
  ])('%s: %s', (command, kind) => expect(kindOf(command)).toBe(kind));

  test.each([
    ['npm test', 'CI=1 pnpm test -- --reporter=dot'],
    ['npm test', 'npm run test 2>&1 | tail -20'],
    ['npx vitest run', 'vitest --reporter verbose'],
    ['pytest', 'python -m pytest -q --tb=short tests/'],
    ['go test ./...', 'go test -v -count=1 ./...'],
    ['cargo test', 'cargo test --workspace -- --nocapture'],
    ['npx tsc --noEmit', 'tsc'],
    ['eslint .', 'eslint src --fix'],
  ])('%s is the same as %s', (a, b) => expect(keyOf(a)).toBe(keyOf(b)));

  test.each([
    ['npm test', 'npm test -- test/a.test.ts'],
    ['pytest', 'pytest -k tax'],
    ['pytest', 'pytest tests/test_a.py'],
    ['go test ./...', 'go test ./pkg/tax'],
    ['cargo test', 'cargo test tax'],
    ['npm test', 'npm run test:e2e'],
    ['npm test', 'cd api && npm test'],
    ['vitest run', 'vitest run -t tax'],
  ])('%s is not %s', (a, b) => expect(keyOf(a)).not.toBe(keyOf(b)));
});

const lines = (things: readonly Told[]): string[] =>
  checks(told(things)).map(
    ({ command, result, numbers, afterLastEdit }) => `${command}: ${result} [${numbers.join('; ')}]${afterLastEdit ? '' : ' before the last edit'}`,
  );

const PYTEST = `FAILED test_a.py::test_add - assert -1 == 3
2 failed, 1 passed in 0.04s`;
const VITEST = ' Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 42 passed (43)\n   Duration  1.23s';

describe('the last result of each check', () => {
  test.each<[string, Told[], string[]]>([
    [
      'failed, then passed',
      [run('npm test', VITEST, { exit: 1 }), run('npm test', '      Tests  43 passed (43)')],
      ['npm test: passed [Tests 43 passed (43)]'],
    ],
    [
      'passed, then failed',
      [run('npm test', '      Tests  43 passed (43)'), run('npm test', VITEST, { exit: 1 })],
      ['npm test: failed [Tests 1 failed | 42 passed (43)]'],
    ],
    [
      'an edit after it',
      [run('npm test', 'Tests: 3 failed, 97 passed, 100 total', { exit: 1 }), change('changed', 'a.ts')],
      ['npm test: failed [Tests: 3 failed, 97 passed, 100 total] before the last edit'],
    ],
    ['an edit of a text for people', [run('npm test'), change('changed', 'README.md')], ['npm test: passed []']],
    ['no result', [run('npm test', '', { state: 'none' })], ['npm test: unknown []']],
    ['running', [run('npm test'), run('npm test', 'RUN v4', { state: 'running' })], ['npm test: running []']],
    ['refused: it did not run', [run('npm test', '1 passed'), run('npm test', '', { state: 'refused' })], ['npm test: passed [1 passed]']],
    ['a pipe hides the exit code', [run('python -m pytest -q | tail -2', PYTEST)], ['python -m pytest -q: failed [2 failed, 1 passed in 0.04s]']],
    ['a pipe, all well', [run('go test ./... 2>&1 | tail', 'ok  \tex\t0.714s')], ['go test ./... 2>&1: passed []']],
    ['a pipe with pipefail', [run('set -o pipefail; npm test | tee out.log', 'whatever')], ['npm test: passed []']],
    ['a pipe, nothing to tell from', [run('make test | tail -1', 'done')], ['make test: unknown []']],
    ['the exit code is printed', [run('npm test | tail -3; echo "exit: ${PIPESTATUS[0]}"', 'x\nexit: 1')], ['npm test: failed []']],
    ['|| true hides it, too', [run('npm test || true', ' 1 failed')], ['npm test: failed [1 failed]']],
    [
      'joined, the second one failed',
      [run('npm run build && npm test', '✓ built in 1.2s\n Tests  1 failed | 2 passed', { exit: 1 })],
      ['npm run build: passed []', 'npm test: failed [Tests 1 failed | 2 passed]'],
    ],
    [
      'joined, the first one failed',
      [run('npx tsc --noEmit && npx vitest run', "src/a.ts(3,5): error TS2322: Type 'string' is not assignable", { exit: 2 })],
      ['npx tsc --noEmit: failed []'],
    ],
    [
      'a selection failed, the whole passed since',
      [run('npx vitest run test/a.test.ts', ' 1 failed', { exit: 1 }), run('npx vitest run', ' Tests  9 passed (9)')],
      ['npx vitest run: passed [Tests 9 passed (9)]'],
    ],
    [
      'the whole passed, a selection failed since',
      [run('npx vitest run', ' Tests  9 passed (9)'), run('npx vitest run test/a.test.ts', ' 1 failed', { exit: 1 })],
      ['npx vitest run: passed [Tests 9 passed (9)]', 'npx vitest run test/a.test.ts: failed [1 failed]'],
    ],
    ['nothing was run', [run('npx jest', 'No tests found, exiting with code 0')], ['npx jest: unknown []']],
    ['Chinese', [run('npm test', '测试结果：通过 12，失败 1', { exit: 1 })], ['npm test: failed [测试结果：通过 12，失败 1]']],
    [
      'Maven',
      [run('mvn -q test', '[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE', { exit: 1 })],
      ['mvn -q test: failed [[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0; [INFO] BUILD FAILURE]'],
    ],
    [
      'Gradle',
      [run('./gradlew assembleDebug', 'BUILD SUCCESSFUL in 3s\n34 actionable tasks: 3 executed')],
      ['./gradlew assembleDebug: passed [BUILD SUCCESSFUL in 3s]'],
    ],
    [
      'cargo',
      [run('cargo test', 'test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out', { exit: 101 })],
      ['cargo test: failed [test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out]'],
    ],
    [
      'coverage',
      [run('go test -cover ./...', 'ok  \tex\t0.7s\tcoverage: 83.2% of statements')],
      ['go test -cover ./...: passed [ok ex 0.7s coverage: 83.2% of statements]'],
    ],
    ['a benchmark', [run('npm run bench', 'p50 120 ms\np95 412 ms\n1.83x faster')], ['npm run bench: passed [p50 120 ms; p95 412 ms; 1.83x faster]']],
    [
      'hyperfine',
      [run("hyperfine './a' './b'", '  Time (mean ± σ):     412.3 ms ±   5.1 ms    [User: 1 ms]\n  ./a ran\n    1.83 ± 0.05 times faster than ./b')],
      ["hyperfine './a' './b': passed [Time (mean ± σ): 412.3 ms ± 5.1 ms [User: 1 ms]; 1.83 ± 0.05 times faster than ./b]"],
    ],
    [
      'go bench',
      [run('go test -bench .', 'BenchmarkAdd-2   \t1000000000\t         0.6321 ns/op\nPASS')],
      ['go test -bench .: passed [BenchmarkAdd-2 1000000000 0.6321 ns/op]'],
    ],
    [
      'criterion behind a pipe',
      [run('cargo bench 2>&1 | tail -4', 'broadphase/20k bodies   time:   [3.801 ms 3.823 ms 3.850 ms]')],
      ['cargo bench 2>&1: passed [broadphase/20k bodies time: [3.801 ms 3.823 ms 3.850 ms]]'],
    ],
    [
      'a benchmark is no part of the tests',
      [run('go test -bench Sum -run XXX ./x', 'BenchmarkSum-8 331 3601127 ns/op'), run('go test ./...', 'ok  \tex')],
      ['go test -bench Sum -run XXX ./x: passed [BenchmarkSum-8 331 3601127 ns/op]', 'go test ./...: passed []'],
    ],
    ['eslint', [run('npx eslint .', '✖ 5 problems (3 errors, 2 warnings)', { exit: 1 })], ['npx eslint .: failed [✖ 5 problems (3 errors, 2 warnings)]']],
    ['a program with figures', [run('python scripts/measure.py', 'accuracy: 0.913')], ['python scripts/measure.py: passed [accuracy: 0.913]']],
    ['a program without', [run('node scripts/gen.js', 'done')], []],
    ['a plan', [run('terraform plan', 'Plan: 3 to add, 1 to change, 0 to destroy.')], ['terraform plan: passed [Plan: 3 to add, 1 to change, 0 to destroy.]']],
    [
      'curl',
      [run('curl -si localhost:8080/health', 'HTTP/1.1 503 Service Unavailable')],
      ['curl -si localhost:8080/health: failed [HTTP/1.1 503 Service Unavailable]'],
    ],
    [
      'colours',
      [run('npx vitest run', '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m77 passed\u001b[39m\u001b[22m (77)')],
      ['npx vitest run: passed [Tests 77 passed (77)]'],
    ],
    [
      'Flutter',
      [run('flutter test', '00:01 +1 -1: tiles [E]\n00:02 +40 -1: Some tests failed.', { exit: 1 })],
      ['flutter test: failed [00:02 +40 -1: Some tests failed.]'],
    ],
    [
      'a summary of its own',
      [run('make host-test', 'ota.c ... ok\n4 tests, 3 passed, 1 failed', { exit: 2 })],
      ['make host-test: failed [4 tests, 3 passed, 1 failed]'],
    ],
    [
      'a selection of a goal',
      [run("mvn -o test -Dtest='A*'", 'Tests run: 3, Failures: 1', { exit: 1 }), run('mvn -o test', '[INFO] Tests run: 9, Failures: 0')],
      ['mvn -o test: passed [[INFO] Tests run: 9, Failures: 0]'],
    ],
    [
      'a script that counts failures and is content',
      [run('./scripts/smoke.sh api', 'api: 96 ok, 24 failed')],
      ['./scripts/smoke.sh api: failed [api: 96 ok, 24 failed]'],
    ],
    [
      "what the second of two prints is not the first one's",
      [run('idf.py build 2>&1 | tail -1 && ./test/host/run.sh', 'Project build complete.\n4 tests, 3 passed, 1 failed')],
      ['idf.py build 2>&1: unknown []', './test/host/run.sh: failed [4 tests, 3 passed, 1 failed]'],
    ],
    [
      'lines of a log count nothing',
      [run('npm test', '2026-01-01T00:00:01 retry 5 failed, 1 error\n Tests 3 passed (3)')],
      ['npm test: passed [Tests 3 passed (3)]'],
    ],
    [
      'a selection is told by the last ones',
      Array.from({ length: 9 }, (_, n) => run(`npx vitest run test/${n}.test.ts`)),
      [4, 5, 6, 7, 8].map((n) => `npx vitest run test/${n}.test.ts: passed []`),
    ],
    [
      'a total in a log',
      [run('dbt build', '14:03:11  1 of 2 OK model\n14:03:12  Done. PASS=61 WARN=0 ERROR=3 SKIP=0 TOTAL=64', { exit: 1 })],
      ['dbt build: failed [14:03:12 Done. PASS=61 WARN=0 ERROR=3 SKIP=0 TOTAL=64]'],
    ],
    [
      'XCTest',
      [run('xcodebuild test -scheme N', '\t Executed 34 tests, with 1 failure (0 unexpected) in 3.2 (3.4) seconds', { exit: 65 })],
      ['xcodebuild test -scheme N: failed [Executed 34 tests, with 1 failure (0 unexpected) in 3.2 (3.4) seconds]'],
    ],
    [
      'a target that counts in its own words',
      [run('make migrate-test', 'mismatches: 0  (8.3s)'), run('make migrate-test', 'psql -f verify.sql\nmismatches: 17  (214.9s)', { exit: 2 })],
      ['make migrate-test: failed [mismatches: 17 (214.9s)]'],
    ],
    [
      'how long it took, where that is long',
      [run('npx vitest run', ' Tests  9 passed (9)\n Duration  74.21s (transform 3s)')],
      ['npx vitest run: passed [Tests 9 passed (9); Duration 74.21s]'],
    ],
    [
      'sizes of a build',
      [run('npx vite build', 'dist/a.css 1.2 kB\ndist/index.js  890.73 kB │ gzip: 251.11 kB\n✓ built in 2.1s')],
      ['npx vite build: passed [dist/a.css 1.2 kB; dist/index.js 890.73 kB │ gzip: 251.11 kB]'],
    ],
    [
      'a tool that nobody knows',
      [run('adb shell dumpsys gfxinfo x | grep Janky', 'Janky frames: 214 (12.90%)')],
      ['adb shell dumpsys gfxinfo x: unknown [Janky frames: 214 (12.90%)]'],
    ],
    ['it tells nothing', [run('adb devices', 'List of devices attached\nemulator-5554 device')], []],
    [
      'a script on the command line',
      [run('python3 -c "import m; m.cv()"', 'fold 5/5\nauc 0.8191 +- 0.0043')],
      ['python3 -c "import m; m.cv()": unknown [auc 0.8191 +- 0.0043]'],
    ],
    ['run again, with another result', [run('adb shell x', 'Janky frames: 96 (5.80%)'), run('adb shell x', 'error: closed', { exit: 1 })], []],
    [
      'a program of the project by its last lines',
      [run('./bin/sim --seed 1', '2026-01-01T00:00:01 level=info n=3\nseed 1 lost 2 batches')],
      ['./bin/sim --seed 1: passed [seed 1 lost 2 batches]'],
    ],
  ])('%s', (_, things, expected) => expect(lines(things)).toEqual(expected));
});
