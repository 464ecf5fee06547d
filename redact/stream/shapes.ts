import type { Slots } from '#session/slot.ts';
import { copyOf } from '../copy.ts';

/** Keys as they are compared: `tool_use_id`, `toolUseId` and `toolUseID` are one. */
const plain = (key: string): string => key.replace(/[_-]/g, '').toLowerCase();
const keys = (words: string): Set<string> => new Set(words.split(' '));

/** Whole keys: one that only ends like an id (`tokenid`) says nothing of its value. */
const IDS = keys(
  'id ids uuid guid parentuuid logicalparentuuid leafuuid sourcetoolassistantuuid parentid rootid leafid requestid messageid snapshotmessageid sessionid conversationid threadid ' +
    'turnid itemid callid callids tooluseid tooluseids sourcetooluseid toolcallid toolcallids parenttoolcallid parenttooluseid responseid previousresponseid promptid runid jobid ' +
    'taskid stepid eventid entryid agentid traceid spanid parentspanid correlationid invocationid generationid checkpointid forkedfromid parentthreadid commit sha commithash',
);
const TIMES = keys(
  'time timestamp ts date datetime createdat updatedat startedat endedat finishedat completedat modifiedat deletedat expiresat lastactive created updated started modified',
);
const SEALED = keys('signature thinkingsignature thoughtsignature reasoningsignature encryptedcontent encryptedreasoning reasoningencrypted data');

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** What programs and their providers count by: UUIDs, ULIDs, digests, numbers, and letters and digits behind a mark that names the thing. */
const ID = new RegExp(
  `^(?:(?:[a-z]{2,12}[-_])?${UUID}|[0-7][0-9A-HJKMNP-TV-Z]{25}|[0-9a-f]{7,64}|\\d{1,20}|` +
    '(?:toolu|srvtoolu|mcptoolu|call|msg|req|resp|rs|fc|ctc|ws|run|step|thread|asst|item|event|evt|gen|chatcmpl|cmpl|session|ses|prt|turn|agent|task|job)[-_][A-Za-z0-9]{6,64})$',
  'i',
);
const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?Z| ?[+-]\d\d:?\d\d)?)?$/;
/** A signature or a sealed blob: long base64 and nothing else, or a Fernet token. No credential that rules know is written with these characters alone. */
const BLOB = /^(?:[A-Za-z0-9+/]{96,}={0,2}|gAAAA[A-Za-z0-9_-]{60,}={0,2})$/;
/** A sealed block of Claude's thinking stands under `data` and begins with the byte 0x12; anything else there is content. */
const SEALED_DATA = /^E[g-v][A-Za-z0-9+/]{96,}={0,2}$/;

/** The shape of what is no content under a key; undefined: everything under it is content. */
function shapeUnder(key: string): RegExp | undefined {
  const name = plain(key);
  if (IDS.has(name)) return ID;
  if (TIMES.has(name)) return TIME;
  return SEALED.has(name) ? (name === 'data' ? SEALED_DATA : BLOB) : undefined;
}

/** Records repeat their keys. */
const shapes = new Map<string, RegExp | undefined>();
const SHAPES_MAX = 2000;
const KEY_LONGEST = 40;

function shapeOf(key: string): RegExp | undefined {
  if (shapes.has(key)) return shapes.get(key);
  const shape = shapeUnder(key);
  if (key.length <= KEY_LONGEST && shapes.size < SHAPES_MAX) shapes.set(copyOf(key), shape);
  return shape;
}

/**
 * Slots of records whose format is not known: ids, times, signatures and sealed blobs are told by the key that they stand under AND by
 * their shape. Neither is enough alone: `{"id": "<token>"}` and `{"tokenid": "<uuid>"}` are looked at like everything else.
 */
export const slotByShape: Slots = (path, value) => {
  // An item of a list has the list's key.
  const key = path.findLast((step) => typeof step === 'string');
  return typeof key === 'string' && shapeOf(key)?.test(value) ? 'likely' : undefined;
};
