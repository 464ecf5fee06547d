import { business } from './business.ts';
import { chat } from './chat.ts';
import { clouds } from './clouds.ts';
import { crypto } from './crypto.ts';
import { hosting } from './hosting.ts';
import { logins } from './logins.ts';
import { models } from './models.ts';
import { monitoring } from './monitoring.ts';
import { payments } from './payments.ts';
import { plain } from './plain.ts';
import type { Rule } from './rule.ts';
import { shell } from './shell.ts';
import { vaults } from './vaults.ts';
import { web } from './web.ts';

/** What is told by its shape, by family. */
export const families: Readonly<Record<string, readonly Rule[]>> = {
  hosting,
  clouds,
  vaults,
  models,
  chat,
  payments,
  business,
  monitoring,
  crypto,
  web,
  shell,
  logins,
  other: plain,
};
export const rules: readonly Rule[] = Object.values(families).flat();
