import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRedactor, type Layer } from '#redact/index.ts';
import { slotByShape } from '../../redact/stream/shapes.ts';
import { sample } from '../support/samples.ts';

const uuid = sample('{hex8}-{hex4}-{hex4}-{hex4}-{hex12}');
const blob = sample('Er{b64240}');

describe('slots by key and shape', () => {
  test.each([
    [['uuid'], uuid],
    [['parentUuid'], uuid],
    [['sessionId'], uuid],
    [['message', 'id'], sample('msg_01{an22}')],
    [['requestId'], sample('req_011C{an20}')],
    [['content', 0, 'tool_use_id'], sample('toolu_01{an22}')],
    [['payload', 'call_id'], sample('call_{an24}')],
    [['response', 'id'], sample('resp_{hex48}')],
    [['call_ids', 3], sample('call_{an24}')],
    [['traceId'], sample('{hex32}')],
    [['id'], '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    [['timestamp'], '2026-03-04T10:11:12.131Z'],
    [['createdAt'], '2026-03-04 10:11:12+02:00'],
    [['content', 0, 'signature'], blob],
    [['thoughtSignature'], blob],
    [['encrypted_content'], sample('gAAAA{url300}')],
    [['content', 0, 'data'], `Eo${sample('{b64200}')}`],
  ] as const)('%j is left alone', (path, value) => expect(slotByShape(path, value)).toBe('likely'));

  test.each([
    ['a key that only ends like one', ['tokenid'], uuid],
    ['another one', ['secret_id'], uuid],
    ['a token where an id stands', ['id'], sample('ghp_{an36}')],
    ['a token behind the mark of an id', ['call_id'], sample('call_ghp_{an36}')],
    ['words where a time stands', ['timestamp'], sample('{an20}')],
    ['a token where a signature stands', ['signature'], sample('sk-ant-api03-{url93}AA')],
    ['a short value where a signature stands', ['signature'], sample('{b6440}')],
    ['base64 of anything where data stands', ['content', 0, 'data'], Buffer.from(`password=${sample('{an90}')}`).toString('base64')],
    ['a list without a name', [0], uuid],
  ] as const)('%s is not', (_what, path, value) => expect(slotByShape(path, value)).toBeUndefined());

  test('rules pass over such a place, and a known value in it is taken out', () => {
    const id = sample('toolu_01{an22}');
    const line = JSON.stringify({ tool_use_id: id, text: 'x', tokenid: sample('ghp_{an36}') });
    const redactor = (known: string[]) => createRedactor({ key: randomBytes(32), known: known.map((value) => ({ value, kind: 'known' })) });
    expect(JSON.parse(redactor([]).line(line, 'line 1', slotByShape))).toEqual({
      tool_use_id: id,
      text: 'x',
      tokenid: expect.stringMatching(/^\[REDACTED:gh:/),
    });
    expect(JSON.parse(redactor([id]).line(line, 'line 1', slotByShape)).tool_use_id).toMatch(/^\[REDACTED:known:/);
  });

  test('what a rule finds in such a place stays', () => {
    const id = sample('{hex32}');
    const everything: Layer = {
      id: 'everything',
      words: [],
      whole: (text, found) => void (/^[0-9a-f]{31,}$/.test(text) && found.hits.push({ start: 0, end: text.length, kind: 'all', rank: 1 })),
    };
    const redactor = createRedactor({ key: randomBytes(32), layers: [everything] });
    expect(JSON.parse(redactor.line(JSON.stringify({ trace_id: id, other: id.slice(1) }), 'line 1', slotByShape))).toEqual({
      trace_id: id,
      other: expect.stringMatching(/^\[REDACTED:all:/),
    });
  });
});
