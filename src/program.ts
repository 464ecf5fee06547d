import { Command, type CommanderError, Option } from 'commander';
import type { Io } from '#io/io.ts';

/** Options that every verb takes. */
export interface Common {
  json?: boolean;
  verbose?: boolean;
}

const EXIT_CODES = `
Exit codes: 0 done or nothing to do · 1 failed · 2 usage or configuration · 3 blocked on purpose · 130 cancelled`;

const examples = (...lines: string[]): string => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n${EXIT_CODES}`;

/** A verb's module, loaded only when it is called, so that starting relay costs little. */
type Load = () => Promise<(io: Io, ...args: never[]) => Promise<number>>;

/**
 * The grammar of the command line and nothing else: each action loads its verb and hands on what was typed.
 * `done` receives the exit code.
 */
export function buildProgram(io: Io, version: string, done: (code: number) => void): Command {
  const act =
    (load: Load) =>
    async (...args: unknown[]): Promise<void> => {
      // commander adds the Command itself as the last argument.
      const verb = (await load()) as (io: Io, ...args: unknown[]) => Promise<number>;
      done(await verb(io, ...args.slice(0, -1)));
    };
  const program = new Command('relay')
    .exitOverride((error: CommanderError) => {
      throw error;
    })
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .description('Git-backed versioning and team sharing of AI coding sessions.')
    .version(version, '-V, --version')
    .helpOption('-h, --help', 'show help')
    .addHelpText(
      'after',
      examples(
        'relay push latest',
        'relay pull',
        'relay import ann-3f9c02/claude-code-0a1b… --to codex',
        'relay import latest --to codex        (this machine only, no Git needed)',
      ),
    )
    .action(act(async () => (await import('#commands/pick.ts')).pick));
  const verb = (name: string, description: string, ...samples: string[]): Command =>
    program
      .command(name)
      .description(description)
      .option('--json', 'print one JSON document')
      .option('--verbose', 'say more about what is done (never values of secrets)')
      .addHelpText('after', examples(...samples));

  verb('init', 'set relay up in this repository, or take it out again', 'relay init', 'relay init --accept store.remote', 'relay init --remove')
    .option('--accept <key>', 'accept what this repository’s .relayrc says about <key> in this clone')
    .option('--remove', 'take all of relay out of this clone')
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('#commands/init.ts')).init));
  verb('sessions', 'the sessions that the agents on this machine hold for this project', 'relay sessions', 'relay sessions --all --json')
    .option('--all', 'of every project')
    .option('--agent <agent>', 'of one agent only')
    .action(act(async () => (await import('#commands/sessions.ts')).sessions));
  verb('push', 'redact, snapshot and send sessions', 'relay push latest', 'relay push claude-code:0a1b2c3d', 'relay push --dry-run')
    .argument('[session...]', 'agent:id, id, unique id prefix, title, latest, or a session file')
    .option('--all', 'every session of this project')
    .option('--dry-run', 'show what would leave, with the redaction report')
    .option('--no-send', 'make the version in this clone only')
    .option('--remote <remote>', 'name or URL of the remote')
    .addOption(new Option('--namespace <prefix>', 'where relay’s refs live on the remote').choices(['refs/relay', 'refs/heads/relay']))
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('#commands/push.ts')).push));
  verb('pull', 'fetch handoffs and say what is new', 'relay pull', 'relay pull ann-3f9c02/claude-code-0a1b2c3d')
    .argument('[handoff]', 'one handoff, however old')
    .option('--remote <remote>', 'name or URL of the remote')
    .option('--days <n>', 'fetch what was updated in the last <n> days')
    .action(act(async () => (await import('#commands/pull.ts')).pull));
  verb('list', 'handoffs known here', 'relay list', 'relay list --json').action(act(async () => (await import('#commands/list.ts')).list));
  verb('log', 'versions of a handoff', 'relay log ann-3f9c02/claude-code-0a1b2c3d')
    .argument('<handoff>')
    .action(act(async () => (await import('#commands/log.ts')).log));
  verb('show', 'one handoff: who, what, and the conversation', 'relay show latest', 'relay show ann-3f9c02/claude-code-0a1b2c3d@2 --json')
    .argument('<handoff>')
    .action(act(async () => (await import('#commands/show.ts')).show));
  verb('diff', 'what changed between two versions', 'relay diff ann-3f9c02/claude-code-0a1b2c3d', 'relay diff <handoff>@1 <handoff>@3')
    .argument('<from>', 'a version; alone: a handoff, whose last two versions are compared')
    .argument('[to]')
    .option('--exit-code', 'exit 1 when there are differences')
    .action(act(async () => (await import('#commands/diff.ts')).diff));
  verb(
    'import',
    'put a session or handoff into an agent as a native session',
    'relay import latest --to codex',
    'relay import ann-3f9c02/codex-019a --to claude-code --dry-run',
  )
    .argument('[session]', 'a local session or a handoff')
    .option('--to <agent>', 'target agent')
    .option('--cwd <folder>', 'folder to go on in')
    .option('--dry-run', 'show what would be written, and what would be lost')
    .option('--again', 'make another session although this version was imported before')
    .option('--strict', 'stop when files differ from the session')
    .option('--local', 'the name means a session of this machine')
    .option('--pulled', 'the name means a handoff')
    .option('--print-cwd', 'print the folder of the session and do nothing else')
    .option('--launch', 'start the agent afterwards')
    .action(act(async () => (await import('#commands/import.ts')).importCommand));
  verb('check', 'which files differ from a handoff’s snapshot', 'relay check latest', 'relay check <handoff> --exit-code')
    .argument('<handoff>')
    .option('--exit-code', 'exit 1 when files differ')
    .action(act(async () => (await import('#commands/check.ts')).check));
  verb('status', 'what is not sent yet, who you are as a writer, and the remote', 'relay status --json').action(
    act(async () => (await import('#commands/status.ts')).status),
  );
  return program;
}

/** The reference of all commands as Markdown, from the grammar itself. */
export function cliDocs(): string {
  const nowhere = { write: () => {}, isTTY: false, columns: 100 };
  const program = buildProgram({ stdout: nowhere, stderr: nowhere } as unknown as Io, '', () => {});
  const section = (command: Command, title: string): string => {
    let text = '';
    command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 100 });
    command.outputHelp();
    return `## ${title}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
  };
  const parts = [section(program, 'relay'), ...program.commands.map((c) => section(c, `relay ${c.name()}`))];
  return `# Commands\n\nMade from the program by \`npx tsx scripts/cli-docs.ts\`.\n\n${parts.join('\n')}`;
}
