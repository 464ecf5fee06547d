import { describe, expect, it } from 'vitest';
import { nearest } from '#lib/nearest.ts';
import { main } from '../../src/cli.ts';
import { buildProgram } from '../../src/program.ts';
import { testIo } from '../support/io.ts';

const run = async (...argv: string[]) => {
  const io = testIo();
  return { code: await main(argv, io), ...io.printed };
};
const verbs = buildProgram(testIo(), '0.0.0', () => {}).commands.map((command) => command.name());

describe('a command line that means nothing', () => {
  it.each([
    [['improt'], 'No command is called improt. Did you mean import?'],
    [['foo'], 'No command is called foo.'],
    [['lsit', '--json'], 'No command is called lsit. Did you mean list?'],
    [['puhs', 'latest', '--dry-run'], 'No command is called puhs. Did you mean push?'],
    [['help', 'foo'], 'No command is called foo.'],
    [['list', '--jsn'], "Unknown option '--jsn'. Did you mean --json?"],
    [['log'], "Missing required argument 'handoff'."],
    [['list', 'a', 'b'], "Too many arguments for 'list'. Expected 0 arguments but got 2."],
    [['push', '--namespace', 'x'], "Option '--namespace <prefix>' argument 'x' is invalid. Allowed choices are refs/relay, refs/heads/relay."],
    [['import', 'x', '--local', '--pulled'], "Option '--local' cannot be used with option '--pulled'."],
    [['import', 'x', '--print-cwd', '--json'], "Option '--print-cwd' cannot be used with option '--json'."],
    [['import', 'x', '--launch', '--dry-run'], "Option '--launch' cannot be used with option '--dry-run'."],
    [['init', '--remove', '--accept', 'store.remote'], "Option '--remove' cannot be used with option '--accept <key>'."],
    [['--json', 'list'], 'relay alone has no option --json.'],
  ])('relay %j is a usage error in the words and the form of all others', async (argv, message) => {
    const ended = await run(...argv);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    if (argv.includes('--json')) {
      const { error } = JSON.parse(ended.stderr);
      expect(error).toEqual({ code: 'usage', message, hint: expect.stringMatching(/relay /) });
    } else expect(ended.stderr).toMatch(new RegExp(`^relay: ${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\n  .*relay .*\n$`));
  });

  it.each(verbs)('relay %s --nonsense points to its help and gives an example', async (verb) =>
    expect((await run(verb, '--nonsense')).stderr).toMatch(new RegExp(`For example: relay ${verb}\\b.*All options: relay ${verb} --help`)),
  );
});

describe('help', () => {
  it.each(verbs)('of %s is the same by relay help and by --help, and fits 80 columns', async (verb) => {
    const [help, flag] = [await run('help', verb), await run(verb, '--help')];
    expect(help).toEqual(flag);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain(`Usage: relay ${verb}`);
    expect(help.stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
  it('of relay lists the verbs', async () => {
    const ended = await run('help');
    expect(ended).toEqual(await run('--help'));
    for (const verb of verbs) expect(ended.stdout).toMatch(new RegExp(`^  ${verb} `, 'm'));
    expect(ended.stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
  it.each(['log', 'show', 'diff', 'import', 'check'])('of %s says which names a handoff has, and what latest is', async (verb) => {
    const words = (await run('help', verb)).stdout.replace(/\s+/g, ' ');
    expect(words).toContain('<writer>/<session>, a unique beginning of it or of the session’s id, its title, or ');
    expect(words).toContain(verb === 'import' ? 'or latest (the newest of both; --local and --pulled choose)' : 'latest (the newest handoff, own or fetched)');
  });
});

it.each([
  ['lsit', 'list'],
  ['foo', undefined],
  ['stat', 'status'],
  ['improt', 'import'],
  ['xyzzy', undefined],
])('the nearest command to %s is %s', (word, near) => expect(nearest(word, verbs)).toBe(near));
