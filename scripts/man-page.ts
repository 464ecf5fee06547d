import type { Command } from 'commander';
import type { Io } from '#io/io.ts';
import { buildProgram } from '../src/program.ts';

/** Text for roff: nothing in it is a request, and dashes can be copied. */
const roff = (text: string): string =>
  text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('’', '\\(cq').replaceAll('…', '...').replace(/^[.']/gm, '\\&$&');

const tagged = (tag: string, text: string): string => `.TP\n${tag}\n${roff(text)}\n`;

/** What every command takes is said once. */
const COMMON = ['--json', '--verbose'];

function verb(command: Command): string {
  const args = command.registeredArguments.filter(({ description }) => description).map((one) => tagged(`\\fI${roff(one.name())}\\fR`, one.description));
  const options = command.options.filter(({ long }) => !COMMON.includes(long ?? ''));
  const about = [...args, ...options.map(({ flags, description }) => tagged(`.B ${roff(flags)}`, description))].join('');
  return `.TP\n.B ${command.name()}\n${roff(command.description())}\n${about && `.RS\n${about}.RE\n`}`;
}

const AGENTS = [
  ['CLAUDE_CONFIG_DIR', 'where Claude Code keeps its sessions (projects/ there); else ~/.claude. Folders of the setting agents.claude-code.roots come between'],
  ['CODEX_HOME', 'where Codex keeps its sessions (sessions/ there); else ~/.codex. Folders of the setting agents.codex.roots come between'],
] as const;
const OWN = [
  ['RELAY_STORE_REMOTE, RELAY_PULL_DAYS, ...', 'a setting, by its path in capitals with underscores for dots; lists have none'],
  ['XDG_CONFIG_HOME', 'where the settings of the user are; else ~/.config'],
  ['NO_COLOR', 'no colours'],
] as const;
const DOCS = 'README.md, docs/cli.md, docs/security.md, docs/limitations.md, docs/troubleshooting.md, docs/fidelity.md, docs/format.md, .relayrc.example';

/** The manual page, from the grammar of the command line. */
export function manPage(): string {
  const nowhere = { write: () => {}, isTTY: false, columns: 100 };
  const { commands } = buildProgram({ stdout: nowhere, stderr: nowhere } as unknown as Io, '', () => {});
  return `.\\" Made from the program by npx tsx scripts/cli-docs.ts.
.TH GIT-RELAY 1 "" "session-relay" "relay"
.SH NAME
git-relay, relay \\- hand coding sessions over between agents and people, over plain Git
.SH SYNOPSIS
.B relay
[\\fIcommand\\fR] [\\fIoptions\\fR]
.br
.B git relay
[\\fIcommand\\fR] [\\fIoptions\\fR]
.SH DESCRIPTION
A session of one coding agent becomes a native session of another one, on this machine or a teammate's. What is shared is
redacted first and kept as versions in a repository beside yours. Without a command relay shows a picker.
.PP
.B relay help
.I command
shows examples, too.
.PP
Every command takes
.B \\-\\-json
(one JSON document, see docs/output.schema.json) and
.BR \\-\\-verbose .
.SH COMMANDS
${commands.map(verb).join('')}.SH EXIT STATUS
0 done or nothing to do, 1 failed (or differences under \\-\\-exit\\-code), 2 usage or configuration, 3 blocked on purpose, 130 cancelled.
.SH ENVIRONMENT
${[...AGENTS, ...OWN].map(([name, text]) => tagged(`.B ${roff(name)}`, text)).join('')}.SH FILES
.TP
.I $XDG_CONFIG_HOME/relay/config.jsonc, .relayrc, <git common dir>/relay/config.jsonc
settings: the user's, the repository's, the clone's; later ones win
.SH SEE ALSO
.BR git (1)
.PP
In the package: ${roff(DOCS)}.
`;
}
