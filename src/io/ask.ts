import { RelayError } from '#lib/errors.ts';
import type { Io } from './io.ts';

const cancelled = () => new RelayError('cancelled', 'Cancelled.');

/**
 * Asks yes or no; Enter means no. Without a terminal nothing is asked: RelayError `consent` with `otherwise` as its hint.
 * @param otherwise what to type where nobody can be asked, e.g. "Add --yes …"
 */
export async function confirm(io: Io, question: string, otherwise: string): Promise<boolean> {
  if (!io.terminal) throw new RelayError('consent', `${question} Nobody can be asked here.`, otherwise);
  const clack = await import('@clack/prompts');
  const answer = await clack.confirm({ message: question, initialValue: false, ...io.terminal });
  if (clack.isCancel(answer)) throw cancelled();
  return answer;
}

export interface Choice<T extends string> {
  value: T;
  label: string;
  hint?: string;
}

/** Lets the user pick one of some choices. Without a terminal: RelayError `usage` with `otherwise` as its hint. */
export async function choose<T extends string>(io: Io, question: string, choices: Choice<T>[], otherwise: string): Promise<T> {
  if (!io.terminal) throw new RelayError('usage', `${question} Nobody can be asked here.`, otherwise);
  const clack = await import('@clack/prompts');
  // `Choice` is what clack calls an option; its own type is conditional on T and cannot be resolved here.
  const options = choices as unknown as Parameters<typeof clack.select<T>>[0]['options'];
  const answer = await clack.select<T>({ message: question, options, maxItems: 12, ...io.terminal });
  if (clack.isCancel(answer)) throw cancelled();
  return answer as T;
}
