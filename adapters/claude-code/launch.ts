import type { Written } from '../adapter.ts';

/** The command that goes on with a session: by id, from the folder it belongs to. */
export const resumeCommand = (id: string, cwd: string): Written['resume'] => ({ command: 'claude', args: ['--resume', id], cwd });
