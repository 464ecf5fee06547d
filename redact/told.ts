import { randomBytes } from 'node:crypto';
import { createRedactor } from './redactor.ts';

/** A text for people without what looks like a secret: errors name what stands in sessions, file names and addresses. */
export const withoutSecrets = (text: string): string => createRedactor({ key: randomBytes(32) }).text(text, 'error');
