import type { Slots } from '#session/slot.ts';
import { cleanText } from '../clean-text.ts';
import type { Engine } from '../engine/engine.ts';
import type { Path } from '../json/literals.ts';
import { placeholder } from '../placeholder.ts';
import type { Allow } from '../settings/allow.ts';
import type { Taken } from '../taken.ts';

/** The gate's look at one object. */
export interface Look {
  engine: Engine;
  allowed: Allow | undefined;
  slots: Slots | undefined;
  /** sha256 of attachments -> where in their source records they stand, and as what; undefined: as content too */
  places: Map<string, { path: Path; as: BufferEncoding }[] | undefined>;
  add(taken: readonly Taken[], record: string, path?: string): void;
  /** Notes what has a form that relay never writes, so that nobody can tell what else it says. */
  refuse(record: string): void;
}

/** Nothing is put in place of what the gate finds. */
const label = ({ kind }: Taken): string => placeholder(kind, '00000000');

/** What a text holds. @param name the name that it stands under, "" where there is none */
export function inText(text: string, name: string, engine: Engine): Taken[] {
  const taken: Taken[] = [];
  cleanText(engine, text, name, taken, label);
  return taken;
}
