import { describe, expect, it } from 'vitest';
import { adapterById } from '#adapters/registry.ts';
import { readLines } from '#lib/lines.ts';
import { encodeRecord, streamHeader } from '#session/codec.ts';
import type { Adapter } from '../../adapters/adapter.ts';
import { recordOf } from '../../src/flows/records.ts';
import { roundTrip } from '../prove/cases/lossless-files.ts';
import { lines } from '../prove/cases/lossless-lines.ts';
import { type Fixture, fixtures } from '../support/fixtures.ts';
import { verdicts } from '../support/proofs.ts';

const all = [...fixtures('claude-code'), ...fixtures('codex')];
const named = (...names: string[]): Fixture[] => all.filter((fixture) => names.includes(fixture.name));

describe('nothing is lost', () => {
  it.each(named('02-tools-parallel-failing-resumed', 'exec-tools-gpt55'))(
    '$agent $name: lines and odd lines come back from what is stored',
    async (fixture) => {
      expect(await verdicts((prover) => lines(fixture, prover), 'codex')).toEqual({ failed: [], count: 4 });
    },
  );

  // Sub-agents, files beside the transcript, rewinds; forks, sub-agents with ids of their own, two forms of rollouts.
  it.each(
    named(
      '03-agent-background',
      '16-rewound-titled-file-history',
      '17-hooks-instructions-at-file',
      'exec-forked',
      'migrated-legacy-to-paginated',
      'subagent-parent',
    ),
  )('$agent $name: over Git into the same agent it is the same file again', async (fixture) => {
    const { failed, count } = await verdicts((prover) => roundTrip(fixture, prover), 'codex');
    expect(failed).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(6);
  });

  it.each(named('02-tools-parallel-failing-resumed', 'exec-plain'))('$agent $name: so it is with odd lines in it', async (fixture) => {
    expect((await verdicts((prover) => roundTrip(fixture, prover, true), 'codex')).failed).toEqual([]);
  });

  it.each(all)('$agent $name: what is stored of it is at most 1.1 times as large', async ({ agent, path }) => {
    const adapter = adapterById(agent) as Adapter;
    const source = await adapter.open({ env: {}, home: '/nonexistent' }, path);
    let before = 0;
    let after = 0;
    for (const stream of source.streams) {
      after += JSON.stringify(streamHeader(stream.name, agent)).length + 1;
      for await (const some of readLines(stream.path, 0, stream.end))
        for (const line of some) {
          before += line.bytes.length + 1;
          after += Buffer.byteLength(encodeRecord(recordOf(line, 'main 0', adapter), () => '0'.repeat(64))) + 1;
        }
    }
    expect(after / before).toBeLessThanOrEqual(1.1);
  });
});
