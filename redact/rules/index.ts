import { clouds } from './clouds.ts';
import { hosting } from './hosting.ts';
import type { Rule } from './rule.ts';
import { services } from './services.ts';
import { web } from './web.ts';

/** All families that are told by shape. */
export const rules: readonly Rule[] = [...hosting, ...clouds, ...services, ...web];
