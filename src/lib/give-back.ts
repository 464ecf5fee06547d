import { commandLine } from './command-line.ts';

/** The command that makes this user the owner of a file or folder and of all that is in it; undefined: nobody is kept from anything by that. */
export function giveBack(path: string): string | undefined {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid ? commandLine(['sudo', 'chown', '-R', `${uid}:${gid}`, path]) : undefined;
}
