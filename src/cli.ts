import { type Io, OutputClosed, processIo } from '#io/io.ts';
import { version } from '#lib/version.ts';

/**
 * Runs one command line and answers its exit code. The only place where errors become text.
 * @param argv what follows the program's name
 */
export async function main(argv: string[], io: Io): Promise<number> {
  let code = 0;
  try {
    // A client waits for this at the end of every turn, and what it calls never has options: the grammar need not be loaded.
    if (argv.length === 1 && argv[0] === 'hook') return await (await import('#commands/hook.ts')).hook(io);
    const { buildProgram } = await import('./program.ts');
    await buildProgram(io, version, (c) => {
      code = c;
    }).parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    const { CommanderError } = await import('commander');
    // Help and version were asked for and are printed; output that nobody takes any more need not be made.
    if (error instanceof CommanderError || error instanceof OutputClosed) return 0;
    const [{ printError }, { withoutSecrets }] = await Promise.all([import('#report/error.ts'), import('#redact/told.ts')]);
    return printError(io, error, { json: argv.includes('--json'), verbose: argv.includes('--verbose'), clean: withoutSecrets });
  }
}

/** Entry of the bundle. */
export async function run(): Promise<void> {
  const io = processIo();
  const code = await main(process.argv.slice(2), io);
  if (code) process.exitCode = code;
  // A pipe of which no more is wanted would keep the program from ending. A file has nothing of the kind.
  process.stdin.unref?.();
}
