import { createHash } from 'node:crypto';
import { RelayError } from '#lib/errors.ts';

/** What may stand in a ref name as a writer or a session. */
const PART = /^[a-z0-9][a-z0-9_-]{0,127}$/;
const LONGEST = 100;
const OWN = 'refs/relay';

const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * The name of a session in the store: `<agent>-<native id>` in lower case, other characters as `_xx`. Where that loses
 * something (capitals, length) a hash of the original keeps two sessions apart.
 */
export function sessionName(agent: string, nativeId: string): string {
  const full = `${agent}-${nativeId}`;
  const lower = full.toLowerCase();
  const safe = lower.replace(/[^a-z0-9-]/gu, (char) => [...Buffer.from(char)].map((byte) => `_${byte.toString(16).padStart(2, '0')}`).join(''));
  if (lower === full && safe.length <= LONGEST) return safe;
  return `${safe.slice(0, LONGEST)}-${short(full)}`;
}

/** A name with the characters that `_xx` stands for in it. */
export const plainName = (name: string): string => name.replace(/(?:_[0-9a-f]{2})+/g, (run) => Buffer.from(run.replaceAll('_', ''), 'hex').toString('utf8'));

/** ASCII slug of a person's name, `user` where nothing is left of it. */
export const writerSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 30)
    .replace(/-+$/, '') || 'user';

export const isPart = (text: string): boolean => PART.test(text);

/** Checks a name before it becomes part of a ref or a path. */
export function checkPart(text: string, what: string): string {
  if (!isPart(text)) throw new RelayError('usage', `"${text}" is no name of a ${what}: lower-case letters, digits, - and _ are allowed.`);
  return text;
}

export const sessionRef = (writer: string, session: string): string => `${OWN}/s/${writer}/${session}`;
export const handoffRef = (handoff: string): string => `${OWN}/s/${handoff}`;

/** Refs that hold new commits until the refs that they are for are moved. */
export const builtRef = (name: string): string => `refs/relay-new/purge/${name}`;

/** Where a remote keeps relay's refs. `r`: refs/relay, `b`: branches under relay/, `o`: the same beside a branch named relay. */
export const PLACES = { r: 'refs/relay', b: 'refs/heads/relay', o: 'refs/heads/relay-store' } as const;
export type PlaceOnRemote = keyof typeof PLACES;

/** Refs of what a remote is known to have: `s/<writer>/<session>`, `index/<writer>`; see PLACES for the step in between. */
export const trackingRoot = (remoteKey: string): string => `refs/relay-remote/${remoteKey}`;
export const trackingRef = (remoteKey: string, place: PlaceOnRemote, rest: string): string => `${trackingRoot(remoteKey)}/${place}/${rest}`;
/** Marks a handoff that vanished from its remote. */
export const goneRef = (remoteKey: string, handoff: string): string => `${trackingRoot(remoteKey)}/gone/${handoff}`;
export const backupRef = (remoteKey: string, handoff: string, tip: string): string => `refs/relay-backup/${remoteKey}/${handoff}/${tip.slice(0, 12)}`;
/** Chains of a handoff that a shorter session has taken the place of before they were sent: kept here, never sent. */
export const replacedRoot = (handoff: string): string => `refs/relay-backup/replaced/${handoff}`;
/** A chain of this clone's from when it wrote under another id. */
export const formerRef = (writer: string, session: string): string => `refs/relay-former/${writer}/${session}`;
/** The index as it will be sent next. */
export const outboxRef = (remoteKey: string, writer: string): string => `refs/relay-outbox/${remoteKey}/${writer}`;

/** A ref that was fetched, taken apart. */
export function parseTracking(ref: string): { remoteKey: string; place: PlaceOnRemote | 'gone'; kind: 's' | 'index'; writer: string; session: string } | null {
  const match = /^refs\/relay-remote\/([^/]+)\/(?:([rbo])\/(s|index)|(gone))\/([^/]+)(?:\/([^/]+))?$/.exec(ref);
  if (!match) return null;
  const [, remoteKey = '', place, kind, gone, writer = '', session = ''] = match;
  if (!isPart(writer) || (kind !== 'index' && !isPart(session))) return null;
  return { remoteKey, place: gone ? 'gone' : (place as PlaceOnRemote), kind: kind === 'index' ? 'index' : 's', writer, session };
}

/** One step of a path in a version's tree; nothing that git or a file system would take for something else. */
const pathStep = (step: string): string => {
  const safe = step.replace(/[^A-Za-z0-9.-]|^\.|^(?=\d{3}$)/gu, (char) =>
    char ? [...Buffer.from(char)].map((byte) => `_${byte.toString(16).padStart(2, '0')}`).join('') : '_',
  );
  return safe.length > 120 ? `${safe.slice(0, 100)}_${short(step)}` : safe || '_';
};

/** Folder of a stream's segments, e.g. transcript/agent/x. */
const streamFolder = (stream: string): string => `transcript/${stream.split('/').map(pathStep).join('/')}`;

/** Path of a segment, 100 in a folder: 000/000000.jsonl */
export const segmentPath = (stream: string, index: number): string =>
  `${streamFolder(stream)}/${String(Math.floor(index / 100)).padStart(3, '0')}/${String(index).padStart(6, '0')}.jsonl`;

export const attachmentPath = (sha256: string): string => `attachments/${sha256.slice(0, 2)}/${sha256}`;

export const cardPath = (session: string): string => `cards/${short(session).slice(0, 2)}/${session}.json`;
/** @param segment name of the file */
export const linksPath = (session: string, segment: string): string => `links/${short(session).slice(0, 2)}/${segment}`;
