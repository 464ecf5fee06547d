import {
  type AndOr,
  type Command,
  type CommandNode,
  type CompoundList,
  type Pipeline,
  type PipelineNode,
  parse,
  type Redirection,
  type Statement,
} from 'unbash';
import { resolvePath } from './paths.ts';
import { scriptOf, unwrap } from './unwrap.ts';
import { expand, type Scope, textOf } from './words.ts';

/** One command of a script, as far as it can be told without running it. */
export interface ShellCommand {
  /** Name first, without what only runs it (sudo, env, time); what cannot be told stands as typed. */
  words: string[];
  /** as typed, with its assignments and redirections */
  text: string;
  /** where it runs; undefined: cannot be told */
  cwd: string | undefined;
  /** files that its output goes to */
  writes: { path: string; append: boolean }[];
  /** what it is given to read, where that is written down (here-document) */
  input: string | undefined;
  /** commands that must have succeeded before it ran (&&, set -e) */
  after: string[][];
  /** true: nothing says whether it ran (||, branches, loops) */
  perhaps: boolean;
  /** true: the exit code of the script is its own, or that of what ran after it had succeeded */
  decides: boolean;
  /** true: the exit code of the script is its own and no other's */
  last: boolean;
}

/** What surrounds a command. */
type Around = Pick<ShellCommand, 'after' | 'perhaps' | 'decides' | 'last'>;

/** Scripts within scripts (bash -c) are read to this depth. */
const DEPTH_MAX = 4;
/** A loop over more words than these is read for the first ones. */
const LOOP_MAX = 50;

/** The simple commands of a script in the order in which they stand. `cwd`: where it starts, an absolute path. Never throws; time is linear. */
export const commandsOf = (script: string, cwd: string | undefined): ShellCommand[] => readScript(script, cwd).commands;

/** The same, with the folder where the script ends. */
export function readScript(script: string, cwd: string | undefined): { commands: ShellCommand[]; cwd: string | undefined } {
  const reading = new Reading(script, { variables: new Map(), cwd, strict: false, pipefail: false }, 0);
  reading.list(parse(script).commands, { after: [], perhaps: false, decides: true, last: true });
  return { commands: reading.found, cwd: reading.cwd };
}

class Reading {
  readonly found: ShellCommand[] = [];
  readonly #source: string;
  readonly #depth: number;
  #scope: Scope;

  constructor(source: string, scope: Scope, depth: number) {
    this.#source = source;
    this.#scope = scope;
    this.#depth = depth;
  }

  get cwd(): string | undefined {
    return this.#scope.cwd;
  }

  list(statements: readonly Statement[], around: Around): void {
    let { after } = around;
    statements.forEach(({ command, background }, at) => {
      const ends = at === statements.length - 1 && !background;
      const from = this.found.length;
      const decides = around.decides && (ends || this.#scope.strict);
      this.#andOr(command, { after, perhaps: around.perhaps, decides, last: around.last && ends });
      if (this.#scope.strict) after = [...after, ...this.found.slice(from).map(({ words }) => words)];
    });
  }

  #andOr(node: PipelineNode | AndOr, around: Around): void {
    if (node.type !== 'AndOr') return this.#pipeline(node, around);
    let { after, perhaps } = around;
    const alternative = node.operators.includes('||');
    node.commands.forEach((command, at) => {
      if (node.operators[at - 1] === '||') perhaps = true;
      const from = this.found.length;
      const ends = at === node.commands.length - 1;
      this.#pipeline(command, { after, perhaps, decides: around.decides && !alternative, last: around.last && ends && !alternative });
      after = [...after, ...this.found.slice(from).map(({ words }) => words)];
    });
  }

  #pipeline(node: PipelineNode, around: Around): void {
    if (node.type !== 'Pipeline') return this.#command(node, around);
    const negated = (node as Pipeline).prefixes.some(({ type }) => type === 'Negation');
    node.commands.forEach((command, at) => {
      const tells = !negated && (at === node.commands.length - 1 || this.#scope.pipefail);
      const before = { ...this.#scope };
      this.#command(command, { ...around, decides: around.decides && tells, last: around.last && tells });
      if (node.commands.length > 1) this.#scope = before;
    });
  }

  #command(node: CommandNode, around: Around): void {
    const unsure: Around = { ...around, perhaps: true };
    const within: Around = { ...around, decides: false, last: false };
    switch (node.type) {
      case 'Command':
        return this.#simple(node, around);
      case 'Redirected':
        this.#command(node.command, around);
        return this.#take([], node.redirects, this.#source.slice(node.pos, node.end), around);
      case 'Subshell':
        return this.#apart(node.body, around);
      case 'BraceGroup':
        return this.list(node.body.commands, around);
      case 'If':
        this.list(node.clause.commands, within);
        for (const body of [node.then, ...node.elif.map(({ then }) => then), node.else]) if (body) this.list(body.commands, unsure);
        return;
      case 'For':
        return this.#loop(
          node.name.value,
          (node.wordlist ?? []).flatMap((word) => expand(word, this.#scope)),
          node.body,
          within,
        );
      case 'While':
        this.list(node.clause.commands, within);
        return this.list(node.body.commands, { ...unsure, decides: false, last: false });
      case 'Case':
        for (const { body } of node.items) this.list(body.commands, unsure);
        return;
      default:
    }
  }

  #loop(name: string, words: readonly string[], body: CompoundList, around: Around): void {
    for (const word of words.slice(0, LOOP_MAX)) {
      this.#scope.variables.set(name, word);
      this.list(body.commands, around);
    }
    this.#scope.variables.delete(name);
  }

  /** A subshell leaves variables and folder as they were. */
  #apart(body: CompoundList, around: Around): void {
    const before = this.#scope;
    this.#scope = { ...before, variables: new Map(before.variables) };
    this.list(body.commands, around);
    this.#scope = before;
  }

  #simple(node: Command, around: Around): void {
    const assignments = node.prefix.filter((one) => one.type === 'Assignment');
    const args = node.args.flatMap((word) => expand(word, this.#scope));
    if (!node.name || node.name.value === 'export') {
      for (const one of [...assignments, ...node.args])
        if (one.type === 'Assignment' && one.value.type === 'Word') this.#scope.variables.set(one.name, textOf(one.value, this.#scope));
    }
    const words = node.name ? unwrap([...expand(node.name, this.#scope), ...args]) : [];
    const script = scriptOf(words);
    if (script !== undefined && this.#depth < DEPTH_MAX) this.#script(script, around);
    else this.#take(words, node.redirects, this.#source.slice(node.pos, node.end), around);
    this.#settle(words);
  }

  #script(script: string, around: Around): void {
    const inner = new Reading(script, { ...this.#scope, variables: new Map(), strict: false, pipefail: false }, this.#depth + 1);
    inner.list(parse(script).commands, around);
    this.found.push(...inner.found);
  }

  #take(words: string[], redirects: readonly Redirection[], text: string, around: Around): void {
    const writes: ShellCommand['writes'] = [];
    let input: string | undefined;
    for (const one of redirects) {
      if (one.type === 'HereDoc') input = one.body.text;
      else if (one.type === 'Redirect' && one.target && WRITING.test(one.operator)) {
        const path = textOf(one.target, this.#scope);
        if (!/^(?:\d+|-)$/.test(path) || !one.operator.endsWith('&')) writes.push({ path, append: one.operator.endsWith('>>') });
      }
    }
    if (words.length || writes.length) this.found.push({ words, text, cwd: this.#scope.cwd, writes, input, ...around });
  }

  /** What a command changes for those after it. */
  #settle([name, ...args]: readonly string[]): void {
    if (name === 'cd' || name === 'pushd') {
      const to = args.find((word) => !word.startsWith('-')) ?? '~';
      this.#scope.cwd = args[0] === '-' ? undefined : resolvePath(to, this.#scope.cwd);
    } else if (name === 'popd') this.#scope.cwd = undefined;
    else if (name === 'set') {
      if (args.some((word) => /^-[a-z]*e/.test(word))) this.#scope.strict = true;
      if (args.includes('pipefail')) this.#scope.pipefail = true;
    }
  }
}

const WRITING = /^(?:>|>>|>\||&>|&>>|>&|<>)$/;
