import { anyWord, type Shape, slotsOf, time, under } from '#session/slot.ts';
import { UUID } from './native.ts';

/** Ids that the API and the services in front of it give. */
const API_ID = /^(?:msg|req|toolu|tooluse|srvtoolu|mcptoolu|call|chatcmpl|gen|resp|item|fc)[_-](?:bdrk_|vrtx_|\d{1,4}_)?(?:[A-Za-z0-9]{1,64}|[0-9a-f-]{36})$/;
const AGENT_ID = /^[0-9a-f]{8,32}$/;
/** What the client counts or draws for tasks, shells and runs. */
const SHORT_ID = /^[A-Za-z0-9]{1,16}(?:-[0-9a-f]{1,8})?$/;
const HASH = /^(?:[0-9a-f]{16}|[0-9a-f]{64})$/;
/** Signatures and sealed thinking are long base64 and nothing else. */
const SEALED = /^(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const uuid: Shape = (value) => UUID.test(value);
const id: Shape = (value) => UUID.test(value) || API_ID.test(value);
const agentId: Shape = (value) => AGENT_ID.test(value);
const shortId: Shape = (value) => id(value) || SHORT_ID.test(value);
const hash: Shape = (value) => HASH.test(value);
const sealed: Shape = (value) => SEALED.test(value);

const UUIDS = [
  ...['uuid', 'parentUuid', 'logicalParentUuid', 'sessionId', 'session_id', 'leafUuid', 'promptId', 'messageId', 'snapshotMessageId'],
  ...['sourceToolAssistantUUID', 'commandUuid', 'deliveryId', 'requestSessionId', 'base', 'forkedFrom/sessionId', 'forkedFrom/messageUuid'],
  ...['snapshot/messageId', 'attachment/source_uuid', 'attachment/delivery_id'],
  ...['compactMetadata/preservedSegment/?', 'compactMetadata/preservedMessages/anchorUuid', 'compactMetadata/preservedMessages/?/*'],
];
const IDS = [
  ...['id', 'requestId', 'requestRef', 'interruptedMessageId', 'toolUseID', 'parentToolUseID', 'sourceToolUseID', 'attachment/toolUseID'],
  ...under(['message'], ['id', 'content/*/id', 'content/*/tool_use_id']),
];
const SHORT_IDS = [
  'attachment/runId',
  ...under(['toolUseResult'], ['taskId', 'task_id', 'task/id', 'task/task_id', 'shellId', 'shell_id', 'backgroundTaskId']),
];
const HASHES = ['hash', 'shapeHash', 'requestDigest', 'tail/*', 'attachment/digests/*'];

/** Blocks of a message, and those that a result holds. */
const BLOCKS = ['message/content/*', 'message/content/*/content/*', 'toolUseResult/*', 'toolUseResult/content/*'];
const TYPES = [
  ...['type', 'subtype', 'message/type', 'message/role', 'origin/kind', 'renderedRole', 'thread/type', 'params/thinking/type'],
  ...['params/context_management/edits/*/type', 'cacheControl/*/value/type'],
  ...under(BLOCKS, ['type', 'source/type', 'source/media_type', 'cache_control/type']),
  ...under(['attachment'], ['type', 'content/type', 'content/*/type', 'files/*/type', 'origin/kind']),
  ...under(['toolUseResult'], ['type', 'file/type']),
];
const TIMES = ['timestamp', 'snapshot/timestamp', 'snapshot/trackedFileBackups/?/backupTime', 'backup/backupTime', 'attachment/timestamp'];

/** Places of a line that must stay as they are: what holds the tree together, what the client goes by, signatures and sealed thinking. */
export const slot = slotsOf(
  [
    [uuid, UUIDS],
    [id, IDS],
    [agentId, ['agentId', 'toolUseResult/agentId']],
    [shortId, SHORT_IDS],
    [hash, HASHES],
    [anyWord, TYPES],
    [time, TIMES],
  ],
  [[sealed, under(['message/content/*'], ['signature', 'data'])]],
);
