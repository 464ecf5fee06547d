import type { Slots } from '#session/slot.ts';
import { UUID } from './native.ts';

const API_ID = /^(?:msg|req|toolu|srvtoolu|mcptoolu|call|chatcmpl)_[A-Za-z0-9_-]{6,128}$/;
const AGENT_ID = /^[0-9a-f]{8,32}$/;
const HASH = /^[0-9a-f]{64}$/;
/** Signatures and sealed blobs are long base64 and nothing else. */
const SEALED = /^[A-Za-z0-9+/_-]{16,}={0,2}$/;

const isUuid = (value: string): boolean => UUID.test(value);
const isId = (value: string): boolean => UUID.test(value) || API_ID.test(value);

/** Last step of the path -> the shape that a value there must have to be left alone. */
const TOP: Readonly<Record<string, (value: string) => boolean>> = {
  uuid: isUuid,
  parentUuid: isUuid,
  logicalParentUuid: isUuid,
  sessionId: isUuid,
  session_id: isUuid,
  leafUuid: isUuid,
  promptId: isUuid,
  messageId: isUuid,
  snapshotMessageId: isUuid,
  sourceToolAssistantUUID: isUuid,
  commandUuid: isUuid,
  deliveryId: isUuid,
  requestSessionId: isUuid,
  interruptedMessageId: isId,
  requestId: isId,
  requestRef: isId,
  toolUseID: isId,
  sourceToolUseID: isId,
  id: isId,
  base: isUuid,
  agentId: (value) => AGENT_ID.test(value),
  hash: (value) => HASH.test(value),
  shapeHash: (value) => HASH.test(value),
  requestDigest: (value) => HASH.test(value),
};

export const slot: Slots = (path, value) => (isKept(path, value) ? 'kept' : undefined);

/** Places of a line that must stay as they are: the ids that hold the tree together, signatures, sealed thinking, hashes. */
function isKept(path: readonly (string | number)[], value: string): boolean {
  const [first, second, third] = path;
  const last = path[path.length - 1];
  if (path.length === 1) return typeof first === 'string' && Object.hasOwn(TOP, first) && TOP[first]?.(value) === true;
  if (first === 'message') return inMessage(path, last, value);
  if (first === 'compactMetadata') return isUuid(value);
  if (first === 'forkedFrom') return path.length === 2 && isUuid(value);
  if (first === 'attachment') return path.length === 2 && (second === 'toolUseID' || second === 'source_uuid' || second === 'delivery_id') && isId(value);
  if (first === 'toolUseResult') return path.length === 2 && second === 'agentId' && AGENT_ID.test(value);
  if (first === 'snapshot') return path.length === 2 && second === 'messageId' && isUuid(value);
  return first === 'tail' && path.length === 2 && third === undefined && HASH.test(value);
}

function inMessage(path: readonly (string | number)[], last: string | number | undefined, value: string): boolean {
  if (path.length === 2) return last === 'id' && isId(value);
  if (path[1] !== 'content' || path.length !== 4) return false;
  if (last === 'id' || last === 'tool_use_id') return isId(value);
  return (last === 'signature' || last === 'data') && SEALED.test(value);
}
