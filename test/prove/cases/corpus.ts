import { readFileSync } from 'node:fs';
import { parseJson } from '#lib/json.ts';
import { lab, RELAY } from '../../support/lab.ts';
import { damaged, type LabelledLine, leaks } from '../../support/leaks.ts';
import { runProgram } from '../../support/processes.ts';
import type { ProvePaths, Prover } from '../world.ts';

/** Share of the secrets that must be gone, and of the lines without one that may be touched. */
const [RECALL, TOUCHED] = [0.99, 0.02];

/**
 * A labelled corpus, one case a line ({id, type, kind, tier, context, secrets, line, path, also, nested, frozen}), goes through the built `relay redact` as one input.
 * Personal data is left out: it is redacted on request only.
 */
export const prove: ProvePaths = async (paths, prover) => {
  const labels = paths.flatMap((path) =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as LabelledLine),
  );
  await proveCorpus(labels, prover);
};

export async function proveCorpus(all: readonly LabelledLine[], prover: Prover): Promise<void> {
  const labels = all.filter((label) => label.type !== 'pii');
  const once = await redacted(labels.map((label) => label.line));
  const twice = await redacted(once);
  prover.check(once.length === labels.length, `${labels.length} lines come out as ${once.length}`);
  const judged = labels.map((label, i) => ({ label, out: once[i] ?? '' }));
  prover.check(
    labels.length > 0 && labels.every(({ type }) => type === 'secret' || type === 'negative'),
    'every line is labelled as a secret or as a negative',
  );
  const secrets = judged.filter(({ label }) => label.type === 'secret');
  const left = secrets.filter(({ label, out }) => leaks(label, out));
  const recall = 1 - left.length / Math.max(1, secrets.length);
  if (secrets.length) prover.check(recall >= RECALL, `${percent(recall)} of ${secrets.length} secrets are gone (at least ${percent(RECALL)})`, listed(left));
  for (const tier of [1, 2, 3]) {
    const those = secrets.filter(({ label }) => label.tier === tier);
    const kept = left.filter(({ label }) => label.tier === tier);
    if (those.length)
      prover.note(`tier ${tier}: ${those.length - kept.length} of ${those.length}${kept.length ? `; left: ${listed(kept).replaceAll('\n', ', ')}` : ''}`);
  }
  const negatives = judged.filter(({ label }) => label.type === 'negative');
  const touched = negatives.filter(({ label, out }) => out !== label.line);
  const share = touched.length / Math.max(1, negatives.length);
  prover.check(share <= TOUCHED, `${percent(share)} of ${negatives.length} lines without a secret are touched (at most ${percent(TOUCHED)})`, listed(touched));
  if (touched.length) prover.note(`touched: ${listed(touched).replaceAll('\n', ', ')}`);
  const broken = judged.filter(({ out }) => parseJson(out) === undefined);
  prover.check(!broken.length, 'every line is JSON still', listed(broken));
  const hurt = judged.filter(({ label, out }) => damaged(label, out).length);
  prover.check(!hurt.length, 'ids, times, signatures and sealed blobs are as they were', listed(hurt));
  const changed = judged.filter(({ out }, i) => twice[i] !== out);
  prover.check(!changed.length, 'redacting once more changes nothing', listed(changed));
}

/** What `relay redact` makes of these lines, outside of any clone and with nothing known. */
async function redacted(lines: readonly string[]): Promise<string[]> {
  const w = lab();
  try {
    const { env } = w.person('nobody');
    const ended = await runProgram(process.execPath, [RELAY, 'redact'], { cwd: w.root, env, timeout: 600_000, input: `${lines.join('\n')}\n` });
    if (ended.code !== 0) throw new Error(`relay redact ended with ${ended.code}: ${ended.stderr}`);
    return ended.stdout.trimEnd().split('\n');
  } finally {
    w.done();
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Kinds and how they were presented, with counts; never a value. */
function listed(judged: readonly { label: LabelledLine }[]): string {
  const counts = new Map<string, number>();
  for (const { label } of judged) {
    const name = `${label.kind}/${label.context}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name)).join('\n');
}
