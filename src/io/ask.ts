import { RelayError } from '#lib/errors.ts';
import type { Io } from './io.ts';

const cancelled = () => new RelayError('cancelled', 'Cancelled.');

/** Asks yes or no; Enter means no. Where nobody can answer nothing is asked: RelayError `consent`. */
export async function ask(io: Io, question: string): Promise<boolean> {
  if (!io.terminal) throw new RelayError('consent', `${question} Nobody can be asked here.`, 'relay <verb> --help names the flag that answers.');
  const clack = await import('@clack/prompts');
  const answer = await clack.confirm({ message: question, initialValue: false, ...io.terminal });
  if (clack.isCancel(answer)) throw cancelled();
  return answer;
}

/** Asks for something that is not shown while it is typed. Where nobody can answer: RelayError `usage`. */
export async function askHidden(io: Io, question: string): Promise<string> {
  if (!io.terminal) throw new RelayError('usage', `${question} Nobody can be asked here.`, 'Pipe it in.');
  const clack = await import('@clack/prompts');
  const answer = await clack.password({ message: question, ...io.terminal });
  if (clack.isCancel(answer)) throw cancelled();
  return answer;
}

export interface Choice<T> {
  value: T;
  label: string;
}

/** Lets the user pick one of some choices. Where nobody can answer: RelayError `usage`. */
export async function choose<T>(io: Io, question: string, choices: readonly Choice<T>[]): Promise<T> {
  if (!io.terminal) throw new RelayError('usage', `${question} Nobody can be asked here.`, 'relay <verb> --help names the argument that answers.');
  const clack = await import('@clack/prompts');
  const options = choices.map(({ label }, value) => ({ value, label }));
  const answer = await clack.select<number>({ message: question, options, maxItems: 12, ...io.terminal });
  if (clack.isCancel(answer)) throw cancelled();
  return (choices[answer] as Choice<T>).value;
}
