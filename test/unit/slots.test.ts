import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Adapter } from '#adapters/adapter.ts';
import { adapters } from '#adapters/registry.ts';
import { isObject, type JsonObject, parseJson, pointerStep } from '#lib/json.ts';
import { createRedactor } from '#redact/index.ts';
import { fixtures } from '../support/fixtures.ts';
import { type Agent, walk } from '../support/layout.ts';
import { kindOf, type Path, places, withValue } from '../support/planted.ts';
import { sample } from '../support/samples.ts';

const key = randomBytes(32);
/** Credentials whose shape is near to that of an id, a type, a time or a signature. */
const TOKENS = [
  'ghp_{an36}',
  'github_pat_{an22}_{an59}',
  'AKIA{up16}',
  'xoxb-{dig12}-{dig12}-{an24}',
  'glpat-{an20}',
  'npm_{an36}',
  'shpat_{hex32}',
  'hf_{an34}',
];

/** The records of an agent's recorded sessions, sub-agents' too. */
function records(agent: Agent): JsonObject[] {
  const folders = new Set(fixtures(agent).map(({ path }) => dirname(path)));
  const files = [...folders].flatMap(walk).filter((path) => path.endsWith('.jsonl') && !path.endsWith('.rpc.jsonl'));
  return files.flatMap((path) => readFileSync(path, 'utf8').split('\n').map(parseJson)).filter(isObject);
}

/** One place of each kind, with the record that has it. */
function onePlaceEach(agent: Agent): Map<string, { record: JsonObject; path: Path; values: string[] }> {
  const kinds = new Map<string, { record: JsonObject; path: Path; values: string[] }>();
  for (const record of records(agent))
    for (const { path, value } of places(record)) {
      const known = kinds.get(kindOf(path));
      if (known) known.values.push(value);
      else kinds.set(kindOf(path), { record, path, values: [value] });
    }
  return kinds;
}

/** Names that ids, roles, types and times go by in both formats. */
const LINK =
  /(?:^|_)(?:id|uuid|type|role|timestamp|revision)$|(?:[a-z]|^)(?:Id|ID|Uuid|UUID|Uuids|Digest)$|^(?:uuids|receiver_thread_ids|hash|shapeHash|subtype|base|tail|requestRef|backupTime|commit_hash)$/;
/** What tools get and give, definitions of tools, and names that only look like one of those. */
const CONTENT =
  /\/input\/|\/arguments\/|\/parameters\/|\/state\/|^shape\/|modelId$|model_provider_id$|limit_id$|agentType$|agent_role$|itemType$|environmentId$|\/structuredContent\//;

describe.each(adapters as readonly Adapter[])('slots of $id', (adapter) => {
  const kinds = onePlaceEach(adapter.id as Agent);
  const linked = (kind: string): boolean =>
    LINK.test(
      kind
        .split('/')
        .filter((step) => step !== '*' && step !== '?')
        .at(-1) ?? '',
    ) && !CONTENT.test(kind);

  it('has recordings to look at', () => expect(kinds.size).toBeGreaterThan(100));

  it('no credential passes for an id, a type, a time or a signature', () => {
    for (const { path } of kinds.values())
      for (const token of TOKENS.map((one) => sample(one))) expect(adapter.slot(path, token), path.join('/')).not.toBe('kept');
  });

  it('are the places that go by the name of an id, a role, a type or a time, and no others', () => {
    const secret = sample('ghp_{an36}');
    const said = [...kinds].filter(([, { path }]) => adapter.slot(path, secret) === 'fixed').map(([kind]) => kind);
    const named = [...kinds.keys()].filter(linked);
    expect(said.filter((kind) => !named.includes(kind) && !KEYED.test(kind))).toEqual([]);
    expect(named.filter((kind) => !said.includes(kind))).toEqual([]);
  });

  it('keep every id and time as it was recorded', () => {
    for (const [kind, { path, values }] of kinds)
      if (linked(kind) && !/(?:type|role|kind)$/i.test(kind))
        for (const value of values) if (value) expect(adapter.slot(path, value), `${kind} ${value}`).toBe('kept');
  });

  it('a secret in one of them stops, naming record and place; anywhere else it goes', () => {
    for (const [kind, { record, path }] of kinds) {
      const secret = sample('ghp_{an36}');
      const planted = withValue(record, path, secret) as JsonObject;
      const redactor = createRedactor({ key });
      if (adapter.slot(path, secret) === 'fixed')
        expect(() => redactor.record(planted, 'main 7', adapter.slot), kind).toThrow(`record main 7 at /${path.map(pointerStep).join('/')}`);
      else expect(JSON.stringify(redactor.record(planted, 'main 7', adapter.slot)), kind).not.toContain(secret.slice(4));
    }
  });
});

/** Fixed under a name of another kind: words that the client goes by. */
const KEYED = /(?:^|\/)(?:kind|renderedRole)$|preservedSegment|digests/;
