import type { AnyNode, ArrowFunctionExpression, FunctionDeclaration, FunctionExpression, Pattern } from 'acorn';
import { isObject } from '#lib/json.ts';
import { evaluate, type Names, type Value } from './script-values.ts';

export type FunctionNode = ArrowFunctionExpression | FunctionExpression | FunctionDeclaration;

export const isFunction = (node: AnyNode | null | undefined): node is ArrowFunctionExpression | FunctionExpression =>
  node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';

export function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node)
    .flat()
    .filter((value): value is AnyNode => typeof value === 'object' && value !== null && 'type' in value && 'start' in value);
}

/** Ways to change a list in place. */
const CHANGING = /^(?:push|unshift|splice|pop|shift|sort|reverse|fill|copyWithin)$/;

/** Names that mean more than one thing in the course of a script: what was given to them first tells nothing. */
export function changedNames(program: AnyNode): Set<string> {
  const names = new Set<string>();
  const add = (node: AnyNode): void => {
    if (node.type === 'Identifier') names.add(node.name);
    else if (node.type === 'MemberExpression') add(node.object);
  };
  const visit = (node: AnyNode): void => {
    if (node.type === 'AssignmentExpression') add(node.left);
    else if (node.type === 'UpdateExpression') add(node.argument);
    else if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && node.callee.property.type === 'Identifier') {
      if (CHANGING.test(node.callee.property.name)) add(node.callee.object);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return names;
}

/** Gives the names of a pattern their values. What cannot be told hides what a name meant before. */
export function bind(pattern: Pattern, value: Value, names: Names, changed: ReadonlySet<string>): void {
  switch (pattern.type) {
    case 'Identifier':
      names.set(pattern.name, changed.has(pattern.name) ? undefined : value);
      break;
    case 'AssignmentPattern':
      bind(pattern.left, value ?? evaluate(pattern.right, names), names, changed);
      break;
    case 'ArrayPattern':
      for (const [i, element] of pattern.elements.entries()) if (element) bind(element, Array.isArray(value) ? value[i] : undefined, names, changed);
      break;
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type !== 'Property') continue;
        const key = property.key.type === 'Identifier' ? property.key.name : '';
        bind(property.value, isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined, names, changed);
      }
      break;
  }
}
