import type { Adapter } from '../adapter.ts';
import { actions, outcome, report } from './actions.ts';
import { hooks } from './hooks.ts';
import { list, locate, open } from './locate.ts';
import { AGENT } from './native.ts';
import { conversation, draft, slot, touched } from './read.ts';
import { restore } from './restore.ts';
import { resume, write } from './write.ts';

/** A made-up agent, to copy. It is not registered; the contract suite runs over it all the same. */
export const example: Adapter = {
  id: AGENT,
  title: 'Example',
  list,
  open,
  locate,
  draft,
  slot,
  touched,
  actions,
  outcome,
  report,
  conversation,
  // From the client's settings where it has them. maxItems and maxBytes: what its provider refuses beyond.
  window: async () => ({ tokens: 128_000, reserve: 32_000, maxItems: 10_000, maxBytes: 16_000_000 }),
  write,
  restore,
  resume,
  hooks,
};
