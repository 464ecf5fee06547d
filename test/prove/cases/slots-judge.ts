import { isObject } from '#lib/json.ts';
import { fingerprints } from '#redact/index.ts';
import { attach, decodeRecord, nativeValue } from '#session/codec.ts';
import { notIn, standsIn } from '../../support/planted.ts';
import { purgingStore } from '../../support/purging.ts';
import type { outline } from '../../support/resume.ts';
import type { ImportJson, World } from '../world.ts';

/** What was planted, by kind of place, each as often as it was. */
export interface Planted {
  secret: string;
  places: string[];
  /** how many images it was written over */
  images: number;
}

/** What came of a session at whoever imported it. */
export interface Arrived {
  /** what the real client sends, and what was written */
  text: string;
  seen: ReturnType<typeof outline>;
  loss: ImportJson['loss'];
}

/** Where something was planted and no placeholder of it stands in the session's own records, as they came over. "" where it is in all places. */
export async function notTaken(w: World, handoff: string, { secret, places }: Planted): Promise<string> {
  const key = await (await purgingStore(w.ann, w.annProject)).key();
  const version = await (await purgingStore(w.bob, w.bobProject)).open(handoff);
  const placeholder = new RegExp(`\\[REDACTED:[a-z0-9]+:${fingerprints(key)(secret)}\\]`, 'g');
  const taken: string[] = [];
  for (const { name } of version.streams)
    for await (const line of version.lines(name)) {
      const record = await attach(decodeRecord(line, name), (sha256) => version.attachment(sha256));
      const native = nativeValue(record);
      if (isObject(native)) taken.push(...standsIn(native, placeholder));
    }
  const left = notIn(places, taken);
  return left.length
    ? `no placeholder stands where it was planted: ${left.length} of ${places.length}, such as ${[...new Set(left)].slice(0, 5).join(', ')}`
    : '';
}

/**
 * What the model gets less of than of the session as it was. Only an image that was written over may be missing, if a loss says so of that very one.
 * "" where nothing is missing.
 */
export function missing(whole: Pick<Arrived, 'seen' | 'loss'>, arrived: Pick<Arrived, 'seen' | 'loss'>, { images }: Pick<Planted, 'images'>): string {
  const gone = (kind: keyof Arrived['seen']): number => whole.seen[kind] - arrived.seen[kind];
  const said = imagesLost(arrived) - imagesLost(whole);
  const faults = (['text', 'call', 'result'] as const)
    .filter((kind) => gone(kind) > 0)
    .map((kind) => `${arrived.seen[kind]} of ${whole.seen[kind]} ${kind}s reach the model`);
  if (gone('image') > images) faults.push(`${gone('image')} images are missing, and only ${images} were written over`);
  // A loss may be of an image that the model did not see before either.
  if (gone('image') > said) faults.push(`${gone('image')} images are missing, and losses speak of ${said}`);
  return faults.join('; ');
}

/** The conversation is too long for the model: how much of it is cut depends on how long it is, so that what reaches the model cannot be compared. */
export const isShortened = ({ loss }: Pick<Arrived, 'loss'>): boolean => loss.some(({ kind }) => kind === 'budget');

const imagesLost = ({ loss }: Pick<Arrived, 'loss'>): number =>
  loss.filter(({ kind, reason }) => /image/.test(kind) && /note stands in its place/.test(reason)).length;
