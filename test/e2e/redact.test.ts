import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documents } from '../../scripts/documents.ts';
import { prove as code } from '../prove/cases/code.ts';
import { proveCorpus } from '../prove/cases/corpus.ts';
import { corpus } from '../support/corpus.ts';
import { type Lab, lab, type Person, RELAY } from '../support/lab.ts';
import { damaged, leaks } from '../support/leaks.ts';
import { runProgram } from '../support/processes.ts';
import { verdicts } from '../support/proofs.ts';
import { sample, survives } from '../support/samples.ts';

let world: Lab;
let ann: Person;
let folder: string;
beforeAll(() => {
  world = lab('relay-redact-');
  ann = world.person('Ann');
  folder = join(world.root, 'work');
  mkdirSync(folder);
});
afterAll(() => world.done());

const redact = (args: string[], input: string | Buffer = '', cwd = folder, env: Record<string, string> = {}) =>
  runProgram(process.execPath, [RELAY, 'redact', ...args], { cwd, env: { ...ann.env, ...env }, input, timeout: 120_000 });
const token = () => sample('ghp_{an36}');
const file = (name: string, text: string | Buffer): string => {
  writeFileSync(join(folder, name), text);
  return name;
};

/** As a shell starts it, from what is neither stdin nor a file. */
const inShell = (name: string) => runProgram('bash', ['-c', `"${process.execPath}" "${RELAY}" redact <(cat ${name})`], { cwd: folder, env: ann.env });

describe('relay redact', () => {
  it('redacts what is piped in, and says nothing else', async () => {
    const secret = token();
    const ended = await redact([], `one\r\n{"a": "${secret}"}\nexport T=${secret}`);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^one\r\n\{"a": "\[REDACTED:gh:(\w{8})\]"\}\nexport T=\[REDACTED:gh:\1\]$/);
  });

  it('takes a value out of what stands before the place that gives it away, from a file and through a pipe', async () => {
    const value = sample('Kq7{an14}');
    const text = `first ${value} alone\n${JSON.stringify({ note: value })}\nDB_PASSWORD=${value}\n`;
    for (const ended of [await redact([file('early.txt', text)]), await redact([], text), await redact(['-'], text), await inShell('early.txt')]) {
      expect(survives(value, ended.stdout)).toBe(false);
      expect(ended.stdout.match(/\[REDACTED:pw:/g)).toHaveLength(3);
    }
  });

  it.each([
    ['nothing', ''],
    ['a lone line feed', '\n'],
    ['text without a last line feed', 'a\nb'],
    ['bytes of all kinds', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7) % 256))],
  ])('leaves %s as it is', async (_what, input) => {
    const name = file('same.bin', input);
    const out = (...args: string[]) => execFileSync(process.execPath, [RELAY, 'redact', ...args], { cwd: folder, env: ann.env, input: Buffer.from(input) });
    expect(out().equals(Buffer.from(input))).toBe(true);
    expect(out(name).equals(Buffer.from(input))).toBe(true);
  });

  it('says that only what can be read was looked at in an input that is not all text, and refuses UTF-16', async () => {
    const secret = token();
    const ended = await redact(['--check'], Buffer.concat([Buffer.from([0, 1, 2, 255]), Buffer.from(` ${secret} `), Buffer.from([0])]));
    expect(ended).toMatchObject({ code: 3, stdout: expect.stringMatching(/^stdin:1: GitHub token gh:\w{8}\n$/) });
    expect(ended.stderr).toContain('stdin is not all text');
    const wide = await redact(['--check'], Buffer.from(`\ufeffT=${secret}`, 'utf16le'));
    expect(wide).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('iconv -f UTF-16') });
  });

  it('ends quietly when nobody reads on', () => {
    const name = file('long.jsonl', `${JSON.stringify({ text: 'x'.repeat(1000) })}\n`.repeat(20_000));
    const shell = `set -o pipefail; "${process.execPath}" "${RELAY}" redact ${name} | head -c 100`;
    const out = execFileSync('bash', ['-c', `${shell}; echo " $?"`], { cwd: folder, env: ann.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    expect(out).toMatch(/^\{"text":"x+ 0\n$/);
  });

  it.runIf(existsSync('/dev/full'))('says in words that the disk is full, as all commands do', async () => {
    const name = file('short.txt', 'text\n');
    for (const args of [['redact', name], ['redact', '--kinds'], ['--help']]) {
      const shell = `"${process.execPath}" "${RELAY}" ${args.join(' ')} > /dev/full`;
      const ended = await runProgram('bash', ['-c', shell], { cwd: folder, env: ann.env });
      expect(ended).toEqual({ code: 1, stdout: '', stderr: 'relay: The output cannot be written: no space left on device.\n' });
    }
  });

  it('ends when nobody reads on, though there would be more to read', async () => {
    const child = spawn(process.execPath, [RELAY, 'redact'], { cwd: folder, env: ann.env, stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.on('error', () => {});
    child.stdout.once('data', () => child.stdout.destroy());
    // A little more than is held, and the pipe stays open.
    const line = `${'some words of a log '.repeat(50)}\n`;
    child.stdin.write(line.repeat(Math.ceil((64 * 1024 * 1024) / line.length)));
    expect(await new Promise((done) => child.on('exit', done))).toBe(0);
    child.stdin.destroy();
  });

  it.each([
    [['nothing-there.txt'], 'nothing-there.txt does not exist.'],
    [['.'], 'is a folder.'],
    [['--json'], 'What relay redact gives out is the text itself'],
    [['--kinds', '--check'], "Option '--check' cannot be used with option '--kinds'."],
    [['--kinds', 'nope'], 'relay redact --kinds reads no file, so "nope" means nothing there.'],
    [['--allow', 'gh:0a1b2c3d', 'nope'], 'relay redact --allow reads no file'],
    [['--report', '-'], 'so the report cannot go there too'],
    [['a.txt', 'b.txt'], 'One file is redacted at a time'],
    [['--check', '-', '-'], 'can be read once only'],
    [['--check', 'nothing-there.txt'], 'nothing-there.txt does not exist.'],
  ])('%j is an error of usage', async (args, message) => {
    const ended = await redact(args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(message);
  });
});

describe('relay redact --check', () => {
  it('lists places and no values, and exits 3; 0 where there is nothing', async () => {
    const [secret, password] = [token(), sample('Kq7{an14}')];
    const name = file('notes.jsonl', `{"a":{"b":"x ${secret}"}}\ntext ${secret} DB_PASSWORD=${password}\n`);
    const ended = await redact(['--check', name]);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(
      /^notes\.jsonl:1: GitHub token gh:(\w{8}) at \/a\/b\nnotes\.jsonl:2: GitHub token gh:\1\nnotes\.jsonl:2: value named as a secret pw:\w{8}\n$/,
    );
    expect(ended.stderr).toMatch(/^3 secrets were found: 2 × GitHub token, 1 × value named as a secret\.\n/);
    const json = await redact(['--check', '--json', name]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      engine: expect.stringMatching(/^\d+$/),
      rules: expect.stringMatching(/^[0-9a-f]{12}$/),
      total: 3,
      byKind: { gh: 2, pw: 1 },
      findings: [
        { kind: 'gh', record: 'line 1', path: '/a/b', count: 1 },
        { kind: 'gh', record: 'line 2', path: '', count: 1 },
        { kind: 'pw', record: 'line 2', path: '', count: 1 },
      ],
    });
    for (const out of [ended.stdout, ended.stderr, json.stdout]) for (const one of [secret, password]) expect(survives(one, out)).toBe(false);
    expect(await redact(['--check'], 'nothing here\n')).toEqual({ code: 0, stdout: '', stderr: 'Nothing was found.\n' });
  });

  it('takes several files, and what is piped in beside them; each finding names its file', async () => {
    const [a, b] = [file('a.txt', `one\n${token()}\n`), file('b.jsonl', `{"x":"${token()}"}\n`)];
    const ended = await redact(['--check', a, file('clean.txt', 'nothing\n'), b, '-'], `${token()}\n`);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/^a\.txt:2: GitHub token gh:\w{8}\nb\.jsonl:1: GitHub token gh:\w{8} at \/x\nstdin:1: GitHub token gh:\w{8}\n$/);
    expect(ended.stderr).toMatch(/^3 secrets were found: 3 × GitHub token\.\n/);
    const report = JSON.parse((await redact(['--check', '--json', a, b, '-'], `${token()}\n`)).stdout);
    expect(documents.redact.safeParse(report).error).toBeUndefined();
    expect(report).toMatchObject({ total: 3, byKind: { gh: 3 } });
    expect(report.findings.map((one: { file?: string }) => one.file)).toEqual(['a.txt', 'b.jsonl', undefined]);
    expect(report).not.toHaveProperty('incomplete');
  });

  it('reads none of several files when one is not there', async () => {
    const ended = await redact(['--check', file('a.txt', `${token()}\n`), 'nothing-there.txt']);
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('nothing-there.txt does not exist.') });
  });

  const packed = {
    gzip: gzipSync(`T=${token()}\n`),
    'raw deflate of much text': deflateRawSync(randomBytes(9000).toString('hex')),
    'a zero byte late in a long text': Buffer.from(`${'some words\n'.repeat(2000)}\0`),
    'UTF-16': Buffer.from(`\ufeffT=${token()}\n`, 'utf16le'),
  };
  it.each(Object.entries(packed))('does not pass what it could not examine: %s', async (_what, input) => {
    const name = file('packed.bin', input);
    for (const [args, piped] of [
      [[name], ''],
      [[], input],
      [[file('fine.txt', 'text\n'), name], ''],
    ] as const) {
      const ended = await redact(['--check', ...args], piped);
      expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/not everything could be\.\n$/) });
      const json = await redact(['--check', '--json', ...args], piped);
      expect([json.code, JSON.parse(json.stdout)]).toEqual([1, expect.objectContaining({ total: 0, incomplete: true })]);
      expect(documents.redact.safeParse(JSON.parse(json.stdout)).error).toBeUndefined();
    }
  });
  it.each([
    ['Cyrillic in KOI8', Buffer.from('d0d2c9d7c5d420cdc9d20a'.repeat(400), 'hex')],
    ['colours of a terminal', Buffer.from('\x1b[31mred\x1b[0m\r\n'.repeat(400))],
    ['Chinese', Buffer.from('会话记录\n'.repeat(2000))],
  ])('%s is text', async (_what, input) => expect(await redact(['--check'], input)).toMatchObject({ code: 0, stderr: 'Nothing was found.\n' }));

  it('says that fingerprints do not last outside of a clone', async () => {
    expect((await redact(['--check'], `${token()}\n`)).stderr).toContain('good for this run only');
    const project = world.project(ann, 'ann/lasting', world.bare('lasting'));
    expect((await redact(['--check'], `${token()}\n`, project)).stderr).toBe('1 secret was found: 1 × GitHub token.\n');
  });

  it('says how many are not listed, where there are very many', async () => {
    const name = file('many.txt', `${token()}\n`.repeat(100_003));
    const ended = await redact(['--check', '--report', 'many.json', name]);
    expect([ended.code, ended.stdout.split('\n').length - 1]).toEqual([3, 100_000]);
    expect(ended.stderr).toMatch(/^100,003 secrets were found: 100003 × GitHub token\. 3 places are counted and not listed\.\n/);
    const report = JSON.parse(readFileSync(join(folder, 'many.json'), 'utf8'));
    expect([report.total, report.findings.length, report.unlisted]).toEqual([100_003, 100_000, 3]);
    expect(documents.redact.safeParse(report).error).toBeUndefined();
    expect(JSON.parse((await redact(['--check', '--json', name])).stdout)).toMatchObject({ total: 100_003, unlisted: 3 });
    const twice = JSON.parse((await redact(['--check', '--json', file('few.txt', `${token()}\n`), name])).stdout);
    expect([twice.total, twice.findings.length, twice.unlisted]).toEqual([100_004, 100_000, 4]);
  });

  const UNREAD = [['is read by nobody', '2>&1 | true'], ...(existsSync('/dev/full') ? [['finds a full disk', '> /dev/full 2>&1']] : [])];
  it.each(UNREAD)('exits 3, with the report written, though its output %s', async (_what, to) => {
    const project = world.project(ann, `ann/${to.length}`, world.bare(`unread-${to.length}`));
    // A note is the first that is written.
    writeFileSync(join(project, '.relayrc'), '{"redact": {"allow": {"patterns": ["x{3}"]}}}');
    writeFileSync(join(project, 'notes.txt'), `${token()}\n`);
    const shell = `"${process.execPath}" "${RELAY}" redact --check --report report.json notes.txt ${to}; exit \${PIPESTATUS[0]}`;
    expect((await runProgram('bash', ['-c', shell], { cwd: project, env: ann.env })).code).toBe(3);
    expect(JSON.parse(readFileSync(join(project, 'report.json'), 'utf8')).total).toBe(1);
  });
});

describe('relay redact --report', () => {
  const secret = token();
  const text = `a ${secret}\n`;

  it('writes the findings beside the text', async () => {
    const ended = await redact(['--report', 'report.json'], text);
    expect(ended.stdout).toMatch(/^a \[REDACTED:gh:\w{8}\]\n$/);
    const report = readFileSync(join(folder, 'report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({ total: 1, findings: [{ kind: 'gh', record: 'line 1', path: '', count: 1 }] });
    expect(survives(secret, report)).toBe(false);
    expect(lstatSync(join(folder, 'report.json')).mode & 0o777).toBe(0o600);
  });

  it('goes to stdout with a check', async () => {
    const ended = await redact(['--check', '--report', '-'], text);
    expect(ended).toMatchObject({ code: 3, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ total: 1 });
    expect(existsSync(join(folder, '-'))).toBe(false);
  });

  it('makes no folder', async () => {
    const ended = await redact(['--check', '--report', 'no/such/x.json'], text);
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('does not exist') });
    expect(existsSync(join(folder, 'no'))).toBe(false);
    file('a-file', '');
    expect((await redact(['--check', '--report', 'a-file/x.json'], text)).code).toBe(2);
  });

  it('goes where a link leads, and nowhere else', async () => {
    writeFileSync(join(folder, 'target.json'), 'old');
    symlinkSync('target.json', join(folder, 'link.json'));
    expect((await redact(['--check', '--report', 'link.json'], text)).code).toBe(3);
    expect(readlinkSync(join(folder, 'link.json'))).toBe('target.json');
    expect(JSON.parse(readFileSync(join(folder, 'target.json'), 'utf8')).total).toBe(1);
    symlinkSync('gone/there.json', join(folder, 'dangling.json'));
    const refused = await redact(['--report', 'dangling.json'], text);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('leads nowhere') });
    expect(existsSync(join(folder, 'gone'))).toBe(false);
  });

  it('never replaces the input, a folder or a device', async () => {
    const name = file('input.txt', text);
    for (const place of [name, '.', '/dev/null']) expect(await redact(['--report', place, name])).toMatchObject({ code: 2, stdout: '' });
    expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  });
});

describe('relay redact --kinds', () => {
  it('lists what is looked for', async () => {
    expect((await redact(['--kinds'])).stdout).toMatch(/^gh +GitHub token +hosting$/m);
    const { kinds } = JSON.parse((await redact(['--kinds', '--json'])).stdout);
    expect(kinds).toContainEqual({ id: 'known', name: 'value from the environment or an .env file', family: 'general' });
    expect(new Set(kinds.map((kind: { id: string }) => kind.id)).size).toBe(kinds.length);
  });
});

describe('what is known', () => {
  it('outside of a clone: the environment, under a key of this run', async () => {
    const value = sample('Kq7{an14}');
    const run = () => redact([], `x ${value} y\n`, folder, { DEPLOY_TOKEN: value });
    const [one, two] = [await run(), await run()];
    expect(one.stdout).toMatch(/^x \[REDACTED:known:\w{8}\] y\n$/);
    expect(two.stdout).not.toBe(one.stdout);
  });

  it('in a clone: its .env files and settings too, under its own key', async () => {
    const project = world.project(ann, 'ann/proj', world.bare('team'));
    const [value, other] = [sample('Kq7{an14}'), sample('Zw4{an14}')];
    writeFileSync(join(project, '.env'), `API_TOKEN=${value}\n`);
    writeFileSync(join(project, '.relayrc'), '{"redact": {"known": {"names": ["PLAIN_NAME"]}}}');
    const run = () => redact([], `x ${value} y ${other} z\n`, project, { PLAIN_NAME: other });
    const [one, two] = [await run(), await run()];
    expect(one.stdout).toMatch(/^x \[REDACTED:known:\w{8}\] y \[REDACTED:known:\w{8}\] z\n$/);
    expect(two.stdout).toBe(one.stdout);
    expect(world.git(ann, project, 'status', '--porcelain')).toBe('?? .env\n?? .relayrc');
  });

  it('in a clone: what looks drawn in an .env file, under a name that says nothing', async () => {
    const project = world.project(ann, 'ann/drawn', world.bare('drawn'));
    const value = sample('Kq7{an12}');
    writeFileSync(join(project, '.env.local'), `FEATURE_COLOR=${value}\nTHEME_COLOR=#aabbccdd\nREGION=eu-central-1\n`);
    expect((await redact([], `a ${value} b #aabbccdd c eu-central-1\n`, project)).stdout).toMatch(/^a \[REDACTED:known:\w{8}\] b #aabbccdd c eu-central-1\n$/);
  });

  it('ids are left alone, and a known value among them goes', async () => {
    const id = sample('toolu_01{an22}');
    const line = `${JSON.stringify({ tool_use_id: id, tokenid: token() })}\n`;
    const { tool_use_id, tokenid } = JSON.parse((await redact([], line)).stdout);
    expect([tool_use_id, tokenid]).toEqual([id, expect.stringMatching(/^\[REDACTED:gh:/)]);
    expect(JSON.parse((await redact([], line, folder, { DEPLOY_TOKEN: id })).stdout).tool_use_id).toMatch(/^\[REDACTED:known:/);
  });
});

describe('large inputs', () => {
  /** Streams lines in, counts what comes out, and answers the peak of resident memory in MB. */
  function stream(line: string, times: number): Promise<{ bytes: number; peak: number; code: number | null }> {
    return new Promise((done) => {
      const child = spawn(process.execPath, [RELAY, 'redact'], { cwd: folder, env: ann.env, stdio: ['pipe', 'pipe', 'ignore'] });
      let [bytes, peak, left] = [0, 0, times];
      const look = setInterval(() => {
        const status = existsSync(`/proc/${child.pid}/status`) ? readFileSync(`/proc/${child.pid}/status`, 'utf8') : '';
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      }, 100);
      child.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      child.on('close', (code) => {
        clearInterval(look);
        done({ bytes, peak, code });
      });
      const feed = (): void => {
        while (left > 0) {
          left--;
          if (!child.stdin.write(line)) return void child.stdin.once('drain', feed);
        }
        child.stdin.end();
      };
      feed();
    });
  }

  it.runIf(existsSync('/proc/self/status'))('200 MB of lines, and of text, take a bounded amount of memory', async () => {
    const words = `${'some words of a log that go on and on '.repeat(25)}\n`;
    for (const line of [`${JSON.stringify({ text: words.repeat(20) })}\n`, words]) {
      const times = Math.ceil(200e6 / line.length);
      const { bytes, peak, code } = await stream(line, times);
      expect([bytes, code]).toEqual([line.length * times, 0]);
      expect(peak).toBeLessThan(450);
    }
  });

  it('a line of 30 MB is one record', async () => {
    const secret = token();
    const name = file(
      'wide.jsonl',
      `${JSON.stringify({ id: 'call_abcdef', list: Array.from({ length: 30 }, () => 'word '.repeat(200_000)), text: secret })}\n`,
    );
    const ended = await redact([name]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ id: 'call_abcdef', text: expect.stringMatching(/^\[REDACTED:gh:/) });
  });
});

describe('proofs', () => {
  const labelled = corpus('in tests', 12);
  it('a labelled corpus comes out as it must', async () => {
    expect((await verdicts((prover) => proveCorpus(labelled, prover), 'codex')).failed).toEqual([]);
  });
  it('whose judge sees what is left and what is damaged', () => {
    const secrets = labelled.filter((label) => label.type === 'secret');
    expect(secrets.filter((label) => !leaks(label, label.line))).toEqual([]);
    for (const label of secrets.filter(({ secrets: [one] }) => !one?.pem)) {
      const { value, core } = label.secrets[0] as { value: string; core: string };
      const written = (text: string) => JSON.stringify(text).slice(1, -1);
      const half = label.line.replaceAll(written(value), written(value.slice(0, -core.length) + core.slice(0, 8)));
      expect(leaks(label, half), `${label.kind}/${label.context}`).toBe(true);
    }
    expect(secrets.filter((label) => !damaged(label, '{}').length)).toEqual([]);
    expect(secrets.filter((label) => damaged(label, label.line).length)).toEqual([]);
  });
  it('packages hold hardly anything that looks like a secret', async () => {
    const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
    expect((await verdicts((prover) => code([modules], prover), 'codex')).failed).toEqual([]);
  });
  it('and a folder of secrets is told', async () => {
    mkdirSync(join(folder, 'secrets'));
    for (let i = 0; i < 5; i++) file(`secrets/${i}.txt`, `${randomBytes(9).toString('hex')}\n${token()}\n`);
    expect((await verdicts((prover) => code([join(folder, 'secrets')], prover), 'codex')).failed).toEqual([expect.stringContaining('findings a megabyte')]);
  });
});
