import type { Adapter } from '../adapter.ts';
import { actions } from './actions.ts';
import { conversation } from './branch.ts';
import { contextUse } from './context-use.ts';
import { hooks } from './hooks.ts';
import { confirm, resumeCommand } from './launch.ts';
import { list, locate } from './locate.ts';
import { AGENT } from './native.ts';
import { open } from './open.ts';
import { outcome } from './outcome.ts';
import { draft } from './read.ts';
import { report, stopped } from './report.ts';
import { restore } from './restore.ts';
import { window } from './settings.ts';
import { slot } from './slots.ts';
import { touched } from './touched.ts';
import { write } from './write.ts';

/** OpenAI's Codex CLI: rollouts of 0.50 to 0.171, legacy and paginated. See README.md. */
export const codex: Adapter = {
  id: AGENT,
  title: 'Codex',
  list,
  open,
  locate,
  draft,
  slot,
  touched,
  actions,
  outcome,
  report,
  stopped,
  conversation,
  window,
  contextUse,
  write,
  restore,
  resume: resumeCommand,
  hooks,
  confirm,
};
