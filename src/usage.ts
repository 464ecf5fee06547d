import type { CommanderError } from 'commander';
import { RelayError } from '#lib/errors.ts';
import { nearest } from '#lib/nearest.ts';

/**
 * What commander says of a command line, as an error like any other: "error: unknown option '--jsn'\n(Did you mean --json?)"
 * -> "Unknown option '--jsn'. Did you mean --json?". What is no error (help, version) is thrown as it came.
 * @param verb undefined: relay itself
 * @param sample a command line to paste
 */
export const asUsageError =
  (verb: string | undefined, sample: string) =>
  (error: CommanderError): never => {
    if (error.exitCode === 0) throw error;
    const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
    const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.?$/, '.');
    const meant = rest.map((line) => line.replace(/^\((.*)\)$/, ' $1')).join('');
    throw new RelayError('usage', `${sentence}${meant}`, `For example: ${sample}. All options: relay ${verb ? `${verb} ` : ''}--help`);
  };

/** For a first word that is no verb: a typo, or an option that stands before its verb. */
export function unknownCommand(word: string, rest: readonly string[], verbs: readonly string[]): RelayError {
  const verb = rest.find((one) => verbs.includes(one));
  if (word.startsWith('-'))
    return new RelayError(
      'usage',
      `relay alone has no option ${word}.`,
      verb ? `Options stand after the command: relay ${verb} ${word}` : 'For example: relay list --json. All commands: relay --help',
    );
  const near = nearest(word, verbs);
  return new RelayError(
    'usage',
    `No command is called ${word}.${near ? ` Did you mean ${near}?` : ''}`,
    near ? `What it takes: relay ${near} --help` : 'All commands: relay --help, for example: relay push latest',
  );
}
