import type { AnyNode, CallExpression, Expression, MemberExpression, ObjectExpression, TemplateLiteral } from 'acorn';
import { isObject, type Json, type JsonObject, setOwn } from '#lib/json.ts';

/** What an expression gives; undefined: nobody can tell without running the script. */
export type Value = Json | undefined;
/** What names mean where the expression stands. */
export type Names = Map<string, Value>;

/** The value of an expression that is made of literals, known names and the few calls that put texts together. */
export function evaluate(node: AnyNode, names: Names): Value {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number' || typeof node.value === 'boolean' || node.value === null
        ? node.value
        : undefined;
    case 'TemplateLiteral':
      return template(node, names, (text) => text.cooked);
    case 'TaggedTemplateExpression':
      return isRaw(node.tag) ? template(node.quasi, names, (text) => text.raw) : undefined;
    case 'Identifier':
      return names.get(node.name);
    case 'ArrayExpression':
      return list(node.elements, names);
    case 'ObjectExpression':
      return object(node, names);
    case 'BinaryExpression':
      return node.operator === '+' ? sum(evaluate(node.left, names), evaluate(node.right, names)) : undefined;
    case 'MemberExpression':
      return member(node, names);
    case 'CallExpression':
      return made(node, names);
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return evaluate(node.expression, names);
    default:
      return undefined;
  }
}

/** `a.name`, `a["name"]`, `a[0]` */
export function propertyName(node: MemberExpression, names: Names): string | undefined {
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : undefined;
  const key = evaluate(node.property, names);
  return typeof key === 'string' || typeof key === 'number' ? String(key) : undefined;
}

const isRaw = (tag: AnyNode): boolean =>
  tag.type === 'MemberExpression' && tag.object.type === 'Identifier' && tag.object.name === 'String' && propertyName(tag, new Map()) === 'raw';

function template(node: TemplateLiteral, names: Names, textOf: (text: { cooked?: string | null; raw: string }) => string | null | undefined): Value {
  let out = '';
  for (const [i, { value }] of node.quasis.entries()) {
    const text = textOf(value);
    const next = node.expressions[i];
    const inserted = next ? inText(evaluate(next, names)) : '';
    if (typeof text !== 'string' || inserted === undefined) return undefined;
    out += text + inserted;
  }
  return out;
}

const inText = (value: Value): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

function sum(left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  const [a, b] = [inText(left), inText(right)];
  return a === undefined || b === undefined ? undefined : a + b;
}

/** A list is known only when all of it is: a command that is missing would never be missed. */
function list(elements: readonly (AnyNode | null)[], names: Names): Value {
  const values = elements.map((element) => (element ? evaluate(element, names) : undefined));
  return values.every((value) => value !== undefined) ? (values as Json[]) : undefined;
}

/** Fields that nobody can tell are left out: of a command its text counts, not how long it may take. */
function object(node: ObjectExpression, names: Names): JsonObject {
  const out: JsonObject = {};
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.kind !== 'init') continue;
    const key = property.computed ? evaluate(property.key, names) : property.key.type === 'Identifier' ? property.key.name : evaluate(property.key, names);
    const value = evaluate(property.value, names);
    if (value !== undefined && (typeof key === 'string' || typeof key === 'number')) setOwn(out, String(key), value);
  }
  return out;
}

function member(node: MemberExpression, names: Names): Value {
  const key = propertyName(node, names);
  const of = node.object.type === 'Super' ? undefined : evaluate(node.object, names);
  if (key === undefined || typeof of !== 'object' || of === null) return undefined;
  if (Array.isArray(of)) return of[Number(key)];
  return isObject(of) && Object.hasOwn(of, key) ? of[key] : undefined;
}

/** `[…].join("\n")`, `text.trim()`, `JSON.stringify(value)` */
function made(node: CallExpression, names: Names): Value {
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return undefined;
  const name = propertyName(callee, names);
  const given = node.arguments.map((argument) => evaluate(argument as Expression, names));
  if (callee.object.type === 'Identifier' && callee.object.name === 'JSON' && name === 'stringify')
    return node.arguments.length === 1 && given[0] !== undefined ? JSON.stringify(given[0]) : undefined;
  const of = evaluate(callee.object, names);
  const separator = node.arguments.length ? given[0] : ',';
  if (name === 'join' && Array.isArray(of) && typeof separator === 'string')
    return of.every((one) => inText(one) !== undefined) ? of.join(separator) : undefined;
  return name === 'trim' && typeof of === 'string' ? of.trim() : undefined;
}
