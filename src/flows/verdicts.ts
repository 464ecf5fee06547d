import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { readJsonFile, writeWhole } from '#store/files.ts';

/** Objects that were found clean, so that they need not be read again. */
export interface Verdicts {
  isClean(id: string): boolean;
  clean(id: string): void;
  /** Writes down what was found clean since it was opened. */
  save(): Promise<void>;
}

/** What a verdict depends on. */
export interface Judged {
  /** engine, rules, settings: verdicts of another one mean nothing */
  by: string;
  /** values that were looked for; a verdict holds for each part of them */
  known: readonly string[];
}

const FILE = 'verdicts.json';
/** About 40 bytes each. */
const IDS_MAX = 100_000;
const RUNS_MAX = 16;

const ID = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const schema = z.object({ by: z.string(), runs: z.array(z.object({ known: z.array(z.string()), ids: z.array(ID) })) });
type Run = z.infer<typeof schema>['runs'][number];

/**
 * Verdicts of earlier pushes of this clone that hold for what is looked for now. A file that cannot be read, or is no such file, is as good as none.
 * @param home folder beside the store
 * @param key of the clone: values are kept as keyed digests only
 */
export async function openVerdicts(home: string, key: Buffer, { by, known }: Judged): Promise<Verdicts> {
  const path = join(home, FILE);
  const stored = schema.safeParse(await readJsonFile(path)).data;
  const runs: Run[] = stored?.by === by ? stored.runs : [];
  const prints = known.map((value) => createHmac('sha256', key).update(value).digest('hex').slice(0, 32)).sort();
  const holding = runs.filter((run) => isPart(prints, run.known));
  const ids = new Set(holding.flatMap((run) => run.ids));
  const fresh: string[] = [];
  return {
    isClean: (id) => ids.has(id),
    clean: (id) => void fresh.push(id),
    async save() {
      if (!fresh.length) return;
      const same = runs.find((run) => run.known.length === prints.length && isPart(prints, run.known));
      const now: Run = { known: prints, ids: [...fresh, ...(same?.ids ?? [])] };
      // Of two pushes at once the later one's verdicts stay.
      await writeWhole(path, JSON.stringify({ by, runs: bounded([now, ...runs.filter((run) => run !== same)]) }));
    },
  };
}

const isPart = (some: readonly string[], all: readonly string[]): boolean => {
  const set = new Set(all);
  return some.every((one) => set.has(one));
};

/** The newest, as far as there is room. */
function bounded(runs: readonly Run[]): Run[] {
  let room = IDS_MAX;
  return runs
    .slice(0, RUNS_MAX)
    .map((run) => {
      const ids = run.ids.slice(0, room);
      room -= ids.length;
      return { ...run, ids };
    })
    .filter((run) => run.ids.length);
}
