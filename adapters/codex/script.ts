import { type AnyNode, type CallExpression, type Expression, type Pattern, type Program, parse } from 'acorn';
import type { Json } from '#lib/json.ts';
import { bind, changedNames, childrenOf, type FunctionNode, isFunction } from './script-names.ts';
import { evaluate, type Names, propertyName, type Value } from './script-values.ts';

/** A call of a tool in a script of code mode, `tools.<name>(…)`. */
export interface ScriptCall {
  name: string;
  /** what it is given, as far as the script says it; undefined: nobody can tell without running it */
  input: Json | undefined;
  /** false: it stands where the script may not come by (a branch, a function that is not called) */
  certain: boolean;
  source: string;
}

/** Of a loop over a list that stands in the script, so many rounds are read. */
const ROUNDS_MAX = 200;
/** Functions of the script that call each other are followed so deep. */
const DEPTH_MAX = 5;
/** So many calls are read, which is more than any script makes by intent. */
const CALLS_MAX = 1000;

/** The calls of tools in a script, in the order in which they stand or are come by; undefined: it is no JavaScript. */
export function scriptCalls(script: string): ScriptCall[] | undefined {
  try {
    const program = parse(script, { ecmaVersion: 'latest', sourceType: 'module', allowAwaitOutsideFunction: true, allowReturnOutsideFunction: true });
    return new Reader(script, changedNames(program)).read(program);
  } catch {
    // Not JavaScript, or nested too deep.
    return undefined;
  }
}

/** Walks a script without running it. */
class Reader {
  readonly #script: string;
  readonly #changed: ReadonlySet<string>;
  readonly #calls: ScriptCall[] = [];
  readonly #functions = new Map<string, FunctionNode>();
  readonly #called = new Set<FunctionNode>();
  #depth = 0;

  constructor(script: string, changed: ReadonlySet<string>) {
    this.#script = script;
    this.#changed = changed;
  }

  read(program: Program): ScriptCall[] {
    this.#all(program.body, new Map(), true);
    for (const fn of this.#functions.values()) if (!this.#called.has(fn)) this.#apply(fn, [], new Map(), false);
    return this.#calls;
  }

  #all(nodes: readonly (AnyNode | null)[], names: Names, certain: boolean): void {
    for (const node of nodes) if (node) this.#walk(node, names, certain);
  }

  #walk(node: AnyNode, names: Names, certain: boolean): void {
    switch (node.type) {
      case 'VariableDeclaration':
        return this.#all(node.declarations, names, certain);
      case 'VariableDeclarator':
        if (node.id?.type === 'Identifier' && isFunction(node.init)) return void this.#functions.set(node.id.name, node.init);
        if (node.init) this.#walk(node.init, names, certain);
        return this.#bind(node.id, node.init ? evaluate(node.init, names) : undefined, names);
      case 'FunctionDeclaration':
        if (node.id) this.#functions.set(node.id.name, node as FunctionNode);
        return;
      case 'BlockStatement':
        return this.#all(node.body, new Map(names), certain);
      case 'IfStatement':
        this.#walk(node.test, names, certain);
        return this.#all([node.consequent, node.alternate ?? null], names, false);
      case 'ConditionalExpression':
        this.#walk(node.test, names, certain);
        return this.#all([node.consequent, node.alternate], names, false);
      case 'SwitchStatement':
        this.#walk(node.discriminant, names, certain);
        return this.#all(node.cases, names, false);
      case 'LogicalExpression':
        this.#walk(node.left, names, certain);
        return this.#walk(node.right, names, false);
      case 'TryStatement':
        this.#walk(node.block, names, certain);
        if (node.handler) this.#walk(node.handler.body, names, false);
        return this.#all([node.finalizer ?? null], names, certain);
      case 'ForOfStatement':
        return this.#each(evaluate(node.right, names), (value) => this.#round(node.left, node.body, value, names, certain));
      case 'WhileStatement':
      case 'ForStatement':
        return this.#all([node.body], new Map(names), false);
      case 'CallExpression':
        return this.#call(node, names, certain);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return this.#apply(node, [], names, false);
      default:
        return this.#all(childrenOf(node), names, certain);
    }
  }

  #call(node: CallExpression, names: Names, certain: boolean): void {
    if (this.#calls.length >= CALLS_MAX) return;
    const callee = node.callee as AnyNode;
    const tool = toolName(callee);
    const given = node.arguments.map((argument) => (argument.type === 'SpreadElement' ? undefined : evaluate(argument, names)));
    if (tool !== undefined) {
      this.#all(node.arguments, names, certain);
      this.#calls.push({ name: tool, input: given[0], certain, source: this.#script.slice(node.start, node.end) });
      return;
    }
    const local = this.#function(callee);
    if (local) {
      this.#all(node.arguments, names, certain);
      return this.#apply(local, given, names, certain);
    }
    const visited = this.#function(node.arguments[0]);
    if (visited && callee.type === 'MemberExpression' && /^(?:map|forEach|flatMap)$/.test(propertyName(callee, names) ?? ''))
      return this.#each(evaluate(callee.object as Expression, names), (value) => this.#apply(visited, [value], names, certain));
    this.#all([callee, ...node.arguments], names, certain);
  }

  #function(node: AnyNode | undefined): FunctionNode | undefined {
    return node?.type === 'Identifier' ? this.#functions.get(node.name) : isFunction(node) ? node : undefined;
  }

  #bind(pattern: Pattern | null | undefined, value: Value, names: Names): void {
    if (pattern) bind(pattern, value, names, this.#changed);
  }

  /** Once for each element of a list that is known, else once for what it may hold. */
  #each(list: Value, visit: (value: Value) => void): void {
    if (!Array.isArray(list)) return visit(undefined);
    for (const value of list.slice(0, ROUNDS_MAX)) visit(value);
  }

  #round(left: AnyNode, body: AnyNode, value: Value, names: Names, certain: boolean): void {
    const inside = new Map(names);
    this.#bind(left.type === 'VariableDeclaration' ? left.declarations[0]?.id : (left as Pattern), value, inside);
    this.#walk(body, inside, certain && value !== undefined);
  }

  #apply(fn: FunctionNode, given: readonly Value[], names: Names, certain: boolean): void {
    this.#called.add(fn);
    if (this.#depth >= DEPTH_MAX) return;
    const inside = new Map(names);
    for (const [i, parameter] of fn.params.entries()) this.#bind(parameter, given[i], inside);
    this.#depth++;
    this.#walk(fn.body, inside, certain);
    this.#depth--;
  }
}

/** `tools.name`, `tools["name"]`, `tools.name?.` */
function toolName(callee: AnyNode): string | undefined {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier' || callee.object.name !== 'tools') return undefined;
  return propertyName(callee, new Map());
}
