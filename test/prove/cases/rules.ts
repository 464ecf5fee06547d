import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitText } from '../../support/git-text.ts';
import { plant } from '../../support/plant.ts';
import { sample } from '../../support/samples.ts';
import { inWorld, nameOf, type Prove, type PushJson } from '../world.ts';

const RULE = {
  id: 'acmekey',
  anchors: ['acme-live:'],
  pattern: 'acme-live:([a-z0-9]{12,64})',
  group: 1,
  hits: ['acme-live:0123456789abcdef'],
  misses: ['acme-live:no'],
};
/** Patterns that run for ever on some text: the last one on what stands in the session only, so that it is not told beforehand. */
const HOSTILE: [pattern: string, hit: string][] = [
  ['acme-live:(\\w+)+;', 'acme-live:abc;'],
  ['acme-live:(?:[a-z0-9]+-?)*!', 'acme-live:abc!'],
  ['acme-live:(?:abc|b-(?:x+x+)+y)', 'acme-live:abc'],
];

/** Rules of a repository's .relayrc: a hostile one stops the push before anything leaves, a good one takes its values out of every object. */
export const prove: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    const value = sample('{low24}');
    const name = nameOf(w.session);
    const ask = (rules: unknown[], redact: object = {}) => writeFileSync(join(w.annProject, '.relayrc'), JSON.stringify({ redact: { ...redact, rules } }));
    const push = () => w.relay(w.ann, w.annProject, 'push', name, '--json');
    const refs = () => w.git(w.ann, w.remote, 'for-each-ref', 'refs/relay');
    plant(w.session, [`acme-live:${value}`, `acme-live:b-${'x'.repeat(60)}`], 'notes.txt');
    for (const [pattern, hit] of HOSTILE) {
      ask([{ ...RULE, pattern, group: undefined, hits: [hit], misses: [] }]);
      const started = Date.now();
      const ended = await push();
      prover.check(ended.code === 2 || ended.code === 3, `${pattern} stops the push with exit code ${ended.code}`, ended.stderr);
      prover.check(ended.stderr.includes('acmekey'), 'the message names the rule', ended.stderr);
      prover.check(!ended.stderr.includes(value), 'and no value');
      prover.check(refs() === '', 'nothing was sent');
      prover.timed(Date.now() - started < 15_000, `it took ${Date.now() - started} ms`);
    }
    ask([{ ...RULE, hits: ['acme-live:short'] }]);
    prover.check((await push()).code === 2, 'a rule that does not find its own sample is refused');

    ask([RULE]);
    const ended = await push();
    prover.check(ended.code === 0, 'a good rule needs no accepting', ended.stderr);
    const pushed: PushJson = JSON.parse(ended.stdout || '{"handoffs":[]}');
    prover.note(`redacted: ${JSON.stringify(pushed.handoffs[0]?.redactions)}`);
    prover.check(refs() !== '', 'the session was sent');
    prover.check((pushed.handoffs[0]?.redactions.byKind.acmekey ?? 0) > 0, 'the rule is named in the report');
    const text = gitText(w.remote) + gitText(join(w.annProject, '.git/relay/store.git'));
    prover.check(!text.includes(value), 'its value is in no object');
    prover.check(text.includes('[REDACTED:acmekey:'), 'its placeholder is');

    const later = sample('{low24}');
    plant(w.session, [`acme-live:${later}`], 'more.txt');
    ask([RULE], { paranoid: false, pii: [], allow: { patterns: ['[a-z0-9]+'], paths: ['**'] } });
    const before = refs();
    const again = await w.relay(w.ann, w.annProject, 'push', name);
    prover.check(again.code === 0, 'exceptions that .relayrc asks for stop nothing', again.stderr);
    prover.check(
      /redact\.allow\.patterns.*has no effect/.test(again.stderr) && /redact\.allow\.paths.*has no effect/.test(again.stderr),
      'they are named',
      again.stderr,
    );
    prover.check(refs() !== before, 'something was sent');
    prover.check(!gitText(w.remote).includes(later), 'and let nothing through');
  });
