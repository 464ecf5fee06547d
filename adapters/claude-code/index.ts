import type { Adapter } from '../adapter.ts';
import { actions } from './actions.ts';
import { conversation } from './branch.ts';
import { contextUse } from './context-use.ts';
import { draft } from './draft.ts';
import { hooks } from './hooks.ts';
import { resumeCommand } from './launch.ts';
import { list, locate } from './locate.ts';
import { AGENT } from './native.ts';
import { open } from './open.ts';
import { outcome } from './outcome.ts';
import { report, stopped } from './report.ts';
import { restore } from './restore.ts';
import { slot } from './slots.ts';
import { touched } from './touched.ts';
import { window } from './window.ts';
import { write } from './write.ts';

/** Claude Code: one JSONL file a session, a tree of entries; see README.md beside this file. */
export const claudeCode: Adapter = {
  id: AGENT,
  title: 'Claude Code',
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
};
