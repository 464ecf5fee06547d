import { cut } from '#lib/cut.ts';
import { RelayError } from '#lib/errors.ts';
import { parseJson } from '#lib/json.ts';
import type { Slots } from '#session/slot.ts';
import { createEngine } from './engine/engine.ts';
import { isAttachment, isKeptAttachment } from './gate/attachments.ts';
import { asText, inBytes, isTree } from './gate/bytes.ts';
import { examineLine } from './gate/line.ts';
import { inText, type Look } from './gate/look.ts';
import type { Finding, RedactionOptions } from './index.ts';
import { fingerprints } from './placeholder.ts';
import { TimedOut, within } from './settings/deadline.ts';
import type { Taken } from './taken.ts';
import { tally } from './tally.ts';

/** The last look at what is about to leave. */
export interface Gate {
  /** engine version, hash of the rules and state of what grows with use: a verdict is only good for the same id */
  readonly id: string;
  /**
   * Secrets in an object: a blob, a commit or a tree, as its bytes are. Placeholders are none. What cannot be examined, such as anything but text
   * outside of attachments and anything but JSON where relay writes nothing else, counts as a finding of kind `error`,
   * what takes too long as one of kind `time`; rules of the settings that take too long throw RelayError `blocked`, which names one.
   * An attachment is judged by the records that refer to it: they must have passed before.
   * @param path where the blob stands in its version (told by `.jsonl`: canonical records, one a line); "" for commits and trees
   */
  check(bytes: Buffer, path: string): Finding[];
}

/** In place of a fingerprint where there is no value. */
const NO_PRINT = '00000000';

/** Longer pointers are cut, so that one finding does not hide the others. In UTF-16 units. */
const PATH_LONGEST = 300;

/** How long an object of so many bytes may take, in ms: hundreds of times what any was seen to need. */
const patienceFor = (bytes: number): number => 20_000 + bytes / 100;

/** @param options `slots`: of the agent whose records are looked at; `patience`: ms that an object of so many bytes may take */
export function createGate({ slots, patience = patienceFor, ...options }: RedactionOptions & { slots?: Slots; patience?: (bytes: number) => number }): Gate {
  const engine = createEngine(options);
  const print = fingerprints(options.key);
  const places: Look['places'] = new Map();
  return {
    id: [engine.id, ...(options.layers ?? []).flatMap((layer) => layer.state ?? [])].join('+'),
    check(bytes, path) {
      const findings = tally();
      const look: Look = {
        engine,
        allowed: options.allowed,
        slots,
        places,
        add: (taken, record, at = '') => taken.forEach((one) => findings.add(one.kind, print(one.value), record, cut(at, PATH_LONGEST))),
        refuse: (record) => findings.add('error', NO_PRINT, record, ''),
      };
      try {
        within(Math.ceil(patience(bytes.length)), () => examine(bytes, path, look));
      } catch (error) {
        // Rules of the settings that take too long say so themselves, and which one it is.
        if (error instanceof RelayError && error.code === 'blocked') throw error;
        // Any other reason could hold the text; that there is one is enough to stop.
        findings.add(error instanceof TimedOut ? 'time' : 'error', NO_PRINT, path, '');
      }
      return findings.done().findings;
    },
  };
}

function examine(bytes: Buffer, path: string, look: Look): void {
  const text = asText(bytes);
  if (text === undefined) {
    addWhole(inBytes(bytes, look.engine), bytes, path, look);
    if (path ? !isAttachment(bytes, path) : !isTree(bytes)) look.refuse(path);
  } else if (path.endsWith('.jsonl')) examineLines(text, path, look);
  else {
    addWhole(inText(text, '', look.engine), bytes, path, look);
    if (path.endsWith('.json') && parseJson(text) === undefined) look.refuse(path);
  }
}

function examineLines(text: string, path: string, look: Look): void {
  let number = 0;
  for (let from = 0; from < text.length; number++) {
    const feed = text.indexOf('\n', from);
    const end = feed < 0 ? text.length : feed;
    examineLine(text.slice(from, end), `${path} ${number}`, look);
    from = end + 1;
  }
}

function addWhole(taken: readonly Taken[], bytes: Buffer, path: string, look: Look): void {
  if (taken.length && !isKeptAttachment(bytes, path, taken, look)) look.add(taken, path);
}
