import { Argument, Command, Option } from 'commander';
import type { Io } from '#io/io.ts';
import { asUsageError, unknownCommand } from './usage.ts';

/** Options that every verb takes. */
export interface Common {
  json?: boolean;
  verbose?: boolean;
}

const EXIT_CODES = `
Exit codes:
  0    done or nothing to do
  1    failed
  2    usage or configuration
  3    blocked on purpose
  130  cancelled`;

const examples = (...lines: string[]): string => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n${EXIT_CODES}`;

const SESSION = 'agent:id, id, unique beginning of the id, title, latest (the newest session of this project), or a session file';
const NAMES = '<writer>/<session>, a unique beginning of it or of the session’s id, its title';
const HANDOFF = `${NAMES}, or latest (the newest handoff, own or fetched)`;
const VERSION = `${HANDOFF}; @n at its end means version n`;
const COMMIT = 'or a commit (any name that git knows, also commit:<rev>)';

const FOUND_BY = `How a session was found behind a commit, the surest first:
  commit, rewrite  recorded when it was made, or when git made it anew
  trailer          its message names the session
  tree, patch      it makes the same change
  message          it has the same author date and subject
  files            it has files just as the session left them: a guess`;

/** A verb's module, loaded only when it is called, so that starting relay costs little. */
type Load = () => Promise<(io: Io, ...args: never[]) => Promise<number>>;

/** What hooks have noted where no worker could be started is recorded once a command has done its work. */
async function recordLater(commonDir: string, io: Io): Promise<void> {
  try {
    await (await import('#hooks/pending.ts')).startPending(commonDir, io);
  } catch {
    // It waits for the next command.
  }
}

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
      let repository: string | undefined;
      const found = (commonDir: string): void => {
        repository = commonDir;
      };
      done(await verb({ ...io, found }, ...args.slice(0, -1)));
      if (repository) await recordLater(repository, io);
    };
  const program: Command = new Command('relay')
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // Errors are printed in one place, with those of the verbs.
      outputError: () => {},
      getOutHelpWidth: () => (io.stdout.isTTY ? io.stdout.columns : 80),
    })
    .exitOverride(asUsageError(undefined, 'relay push latest'))
    .description('Git-backed versioning and team sharing of AI coding sessions.')
    .version(version, '-V, --version')
    .helpOption('-h, --help', 'show help')
    .addHelpText(
      'after',
      examples(
        'relay help push',
        'relay push latest',
        'relay pull',
        'relay import ann-3f9c02/claude-code-0a1b… --to codex',
        'relay import latest --to codex     (this machine only, no Git needed)',
      ),
    )
    .action(async () => {
      const [word, ...rest] = program.args;
      if (word === undefined) return done(await (await import('#commands/pick.ts')).pick(io));
      const named = word === 'help' ? rest.find((one) => !one.startsWith('-')) : word;
      const command = named === undefined ? program : program.commands.find((one) => one.name() === named);
      if (word !== 'help' || !command)
        throw unknownCommand(
          named ?? word,
          rest,
          program.commands.map((one) => one.name()),
        );
      command.outputHelp();
    });
  const verb = (name: string, description: string, ...samples: [string, ...string[]]): Command =>
    program
      .command(name)
      .description(description)
      .exitOverride(asUsageError(name, samples[0]))
      .option('--json', 'print one JSON document')
      .option('--verbose', 'say more about what is done (never values of secrets)')
      .addHelpText('after', examples(...samples));

  verb('init', 'set relay up in this repository, or take it out again', 'relay init', 'relay init --accept push.auto', 'relay init --remove --yes')
    .option('--accept <key>', 'accept what this repository’s .relayrc says about <key> in this clone')
    .addOption(new Option('--remove', 'take all of relay out of this clone').conflicts('accept'))
    .option('--yes', 'with --remove: do not ask')
    .action(act(async () => (await import('#commands/init.ts')).init));
  verb('sessions', 'the sessions that the agents on this machine hold for this project', 'relay sessions', 'relay sessions --all --json')
    .option('--all', 'of every project')
    .option('--agent <agent>', 'of one agent only')
    .action(act(async () => (await import('#commands/sessions.ts')).sessions));
  verb('push', 'redact, snapshot and send sessions', 'relay push latest', 'relay push claude-code:0a1b2c3d', 'relay push --dry-run')
    .argument('[session...]', `${SESSION}; without any: that newest session, and those shared before that have grown`)
    .option('--all', 'every session of this project')
    .option('--dry-run', 'show what would leave, with the redaction report')
    .option('--no-send', 'make the version in this clone only')
    .option('--remote <remote>', 'name or URL of the remote')
    .addOption(new Option('--namespace <prefix>', 'where relay’s refs live on the remote').choices(['refs/relay', 'refs/heads/relay']))
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('#commands/push.ts')).push));
  verb('pull', 'fetch handoffs and say what is new', 'relay pull', 'relay pull ann-3f9c02/claude-code-0a1b2c3d')
    .argument('[handoff]', 'one handoff, however old: <writer>/<session>')
    .option('--remote <remote>', 'name or URL of the remote')
    .option('--days <n>', 'fetch what was updated in the last <n> days')
    .action(act(async () => (await import('#commands/pull.ts')).pull));
  verb('list', 'handoffs known here', 'relay list', 'relay list --json').action(act(async () => (await import('#commands/list.ts')).list));
  verb('log', 'versions of a handoff, or the sessions behind a commit', 'relay log ann-3f9c02/claude-code-0a1b2c3d', 'relay log HEAD~2')
    .summary('versions of a handoff, or the sessions behind a commit')
    .description(`Versions of a handoff, or the sessions behind a commit.\n\n${FOUND_BY}`)
    .argument('<handoff>', `${HANDOFF}; with @n at its end only that version is listed; ${COMMIT}`)
    .action(act(async () => (await import('#commands/log.ts')).log));
  verb(
    'show',
    'one handoff, or those behind a commit: who, what, and the conversation',
    'relay show latest',
    'relay show commit:HEAD',
    'relay show ann-3f9c02/claude-code-0a1b2c3d@2 --json',
  )
    .argument('<handoff>', `${VERSION}; ${COMMIT}`)
    .action(act(async () => (await import('#commands/show.ts')).show));
  verb(
    'brief',
    'what a session asked for, decided, did and left open, each statement with the place that says so',
    'relay brief latest',
    'relay brief ann-3f9c02/claude-code-0a1b2c3d@2 --json',
    'echo "$name" | relay brief - --exit-zero',
  )
    .argument('<session>', `a session of this machine: ${SESSION}; or a handoff: ${NAMES}; @n after a handoff means version n; - reads the name from stdin`)
    .addOption(new Option('--write', 'write it into relay’s own state folder and print the path only').conflicts('json'))
    .option('--exit-zero', 'always exit 0; what is wrong is printed as JSON')
    .action(act(async () => (await import('#commands/brief.ts')).brief));
  verb('diff', 'what changed between two versions', 'relay diff ann-3f9c02/claude-code-0a1b2c3d', 'relay diff <handoff>@1 <handoff>@3')
    .argument('<from>', `the older version: ${VERSION}; without <to> this version is compared with the one before it`)
    .argument('[to]', 'the newer version, named in the same way; it may be of another handoff')
    .option('--exit-code', 'exit 1 when there are differences')
    .action(act(async () => (await import('#commands/diff.ts')).diff));
  verb(
    'import',
    'put a session or handoff into an agent as a native session',
    'relay import latest --to codex',
    'relay import ann-3f9c02/codex-019a --to claude-code --dry-run',
  )
    .argument(
      '[session]',
      `a session of this machine: ${SESSION.replace(/latest[^,]*, /, '')}; or a handoff: ${NAMES}, or latest (the newest of both; --local and --pulled choose); @n after a handoff means version n`,
    )
    .option('--to <agent>', 'target agent')
    .option('--cwd <folder>', 'folder to go on in')
    .option('--dry-run', 'show what would be written, and what would be lost')
    .option('--again', 'make another session although this version was imported before')
    .option('--strict', 'stop when files differ from the session')
    .addOption(new Option('--local', 'the name means a session of this machine').conflicts('pulled'))
    .option('--pulled', 'the name means a handoff')
    .addOption(new Option('--print-cwd', 'print the folder of the session and do nothing else').conflicts(['json', 'launch', 'dryRun']))
    .addOption(new Option('--launch', 'start the agent afterwards').conflicts(['json', 'dryRun']))
    .action(act(async () => (await import('#commands/import.ts')).importCommand));
  verb('check', 'which files differ from a handoff’s snapshot', 'relay check latest', 'relay check <handoff> --exit-code')
    .argument('<handoff>', VERSION)
    .option('--exit-code', 'exit 1 when files differ')
    .action(act(async () => (await import('#commands/check.ts')).check));
  verb(
    'redact',
    'take secrets out of any text or JSON Lines, from a file or stdin to stdout',
    'relay redact session.jsonl > clean.jsonl',
    'kubectl logs api | relay redact',
    'relay redact --check notes.md logs/*.txt',
  )
    .argument(
      '[file...]',
      'what to read, several files only with --check; without any, or with -, what is piped in (its first 64 MB are held, so that what is found late is taken out of them too)',
    )
    .addOption(
      new Option('--check', 'print what would be taken out, never a value; exit 3 when there is any, 1 when something could not be examined').conflicts(
        'kinds',
      ),
    )
    .addOption(new Option('--report <file>', 'write the findings as JSON besides; - for stdout, with --check only').conflicts('kinds'))
    .option('--kinds', 'list the kinds of secrets that are looked for')
    .addOption(new Option('--allow <fingerprint>', 'say that a value is no secret in this clone, by <kind>:<8 hex>').conflicts(['check', 'report', 'kinds']))
    .action(act(async () => (await import('#commands/redact.ts')).redact));
  verb(
    'purge',
    'take a handoff, a version or a value out of the history, here and on the remote',
    'relay purge ann-3f9c02/claude-code-0a1b2c3d --dry-run',
    'relay purge ann-3f9c02/claude-code-0a1b2c3d@2',
    'relay purge --match - --yes < leaked.txt',
  )
    .argument('[handoff]', '<writer>/<session> or a unique beginning of it; @n at its end means version n only')
    .option('--match <->', 'purge the value that is piped in (on a terminal: asked for, not shown) from every handoff')
    .option('--dry-run', 'show what would go')
    .option('--remote <remote>', 'name or URL of the remote')
    .addOption(new Option('--namespace <prefix>', 'where relay’s refs live on the remote').choices(['refs/relay', 'refs/heads/relay']))
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('#commands/purge.ts')).purge));
  verb('watch', 'hand sessions on before their context is full: record them, import them into a standby agent', 'relay watch', 'relay watch --once --json')
    .option('--once', 'look once and end')
    .action(act(async () => (await import('#commands/watch.ts')).watch));
  verb('status', 'what is not recorded, what is not sent yet, who you are as a writer, and the remote', 'relay status --json').action(
    act(async () => (await import('#commands/status.ts')).status),
  );
  verb(
    'doctor',
    'what relay finds here and for each agent: installed, recorded, unsent, broken; and what mends it',
    'relay doctor',
    'relay doctor --remote --json',
  )
    .option('--remote', 'also ask the remote whether it answers')
    .action(act(async () => (await import('#commands/doctor.ts')).doctor));
  verb('hook', 'what the hooks of git and of the agents call; nothing to type', 'relay hook < payload.json')
    .addOption(new Option('--pre-push <remote>').hideHelp())
    .addOption(new Option('--git-dir <folder>').hideHelp())
    .action(act(async () => (await import('#commands/hook.ts')).hook));
  verb(
    'hooks',
    'have git, or an agent, tell relay what happens, so that sessions are recorded by themselves',
    'relay hooks install',
    'relay hooks install --pre-push',
    'relay hooks install --agent claude-code',
    'relay hooks status',
    'relay hooks uninstall',
  )
    .addArgument(
      new Argument('<action>', 'install: put them in place, or mend them; status: how they stand; uninstall: take them out').choices([
        'install',
        'uninstall',
        'status',
      ]),
    )
    .addOption(new Option('--agent <agent>', 'the hooks of an agent, in this user’s own settings of it: it then tells relay of each turn').conflicts('prePush'))
    .option('--pre-push', 'with install: git push sends along what is new in shared sessions')
    .option('--yes', 'do not ask before hooks are changed that others share')
    .action(act(async () => (await import('#commands/hooks.ts')).hooks));
  // What no verb takes comes to the action above, which says what was meant; verbs take over what is set here, so it is set last.
  program.allowUnknownOption().allowExcessArguments();
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
