import { LOOSENING, needAccepted, unheeded } from '#flows/accepted.ts';
import { consentFor } from '#flows/consent.ts';
import { workspace } from '#flows/context.ts';
import { type Exposed, exposedVersions } from '#flows/exposed.ts';
import { gateStrange } from '#flows/gate.ts';
import { type Prepared, prepare } from '#flows/prepare.ts';
import { meet, needNotPurged, sessionsToPush } from '#flows/push.ts';
import { sendPrepared } from '#flows/send.ts';
import { sentTo, sentToAndFrom } from '#flows/sent-to.ts';
import { recordPending } from '#hooks/pending.ts';
import { ask } from '#io/ask.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { kindName } from '#redact/index.ts';
import { bytes, count, exposedText, PURGE_VALUE, safeText, safeTitle } from '#report/index.ts';
import type { Remote } from '#store/types.ts';

interface Options {
  json?: boolean;
  all?: boolean;
  dryRun?: boolean;
  send: boolean;
  remote?: string;
  namespace?: 'refs/relay' | 'refs/heads/relay';
  yes?: boolean;
}

/** relay push */
export async function push(io: Io, names: string[], options: Options): Promise<number> {
  const ws = await workspace(io, {
    ...(options.remote ? { remote: options.remote } : {}),
    ...(options.namespace ? { namespace: options.namespace } : {}),
  });
  needAccepted(ws, 'push', ...(options.send || options.dryRun ? (['send'] as const) : []));
  if (!options.json) for (const note of unheeded(ws, LOOSENING)) io.stderr.write(`note: ${note}\n`);
  if (options.all && names.length) throw new RelayError('usage', 'Name sessions, or say --all, but not both.');
  if (ws.repository && !options.dryRun) await recordPending(ws);
  const store = await ws.store();
  const metRemote = async (): Promise<Remote | undefined> => {
    const remote = options.send || options.dryRun ? await ws.remote().catch(onlyWhenSending(options)) : undefined;
    // A dry run asks nobody.
    if (remote && !options.dryRun) await meet(store, remote);
    return remote;
  };
  let met: ReturnType<typeof metRemote> | undefined;
  const findRemote = () => {
    met ??= metRemote();
    return met;
  };
  const cards = await sessionsToPush(ws, names, options.all === true, findRemote);
  const remote = await findRemote();
  if (remote) await needNotPurged(ws, remote, cards, names);
  if (remote && options.send && !options.dryRun) await gateStrange(ws, remote, cards);
  const prepared: Prepared[] = [];
  for (const card of cards) {
    ws.progress(`reading ${card.agent} ${card.title}`);
    prepared.push(await prepare(ws, card, remote, { dryRun: options.dryRun === true }));
  }
  const tell = async (what: { sent: boolean; size?: number }): Promise<number> =>
    report(io, options, prepared, {
      ...what,
      remote: remote && sentTo(remote),
      exposed: await exposedVersions(ws, prepared, options.dryRun === true),
    });
  if (options.dryRun && remote) {
    const pending = await store.unsent(remote);
    for (const p of prepared) p.pending = pending.includes(p.handoff);
  }
  if (options.dryRun || !options.send || !remote) return tell({ sent: false });
  const agreed = async (): Promise<void> => needConsent(io, options, names, prepared, sentToAndFrom(remote), await consentFor(ws, remote));
  const size = await sendPrepared(ws, remote, cards, prepared, names, agreed);
  if (size === undefined) return tell({ sent: false });
  return tell({ sent: true, size });
}

/** Without a remote a version can still be made; sending one cannot. */
const onlyWhenSending =
  (options: Options) =>
  (error: unknown): undefined => {
    if (!options.dryRun) throw error;
    return undefined;
  };

/** The first push to a remote is asked for: on a terminal by a question, elsewhere by naming a session or --yes. */
async function needConsent(io: Io, options: Options, names: string[], prepared: Prepared[], shown: string, given: boolean): Promise<void> {
  if (given || options.yes) return;
  if (io.interactive && !options.json) {
    const redactions = prepared.reduce((sum, p) => sum + p.redactions.total, 0);
    io.stderr.write(
      `This is the first push to ${shown}.\n${prepared.map((p) => `  ${p.agent}  ${bytes(p.bytes)}  ${safeTitle(p.title)}`).join('\n')}\n  ${count(redactions, 'place')} redacted.\n`,
    );
    if (await ask(io, 'Send?')) return;
    throw new RelayError('cancelled', 'Nothing was sent.', 'The versions are in this clone; relay push sends them later.');
  }
  if (names.length) return;
  throw new RelayError('consent', `Nothing was sent: this would be the first push to ${shown}.`, 'Name a session (relay push latest), or add --yes.');
}

interface Outcome {
  sent: boolean;
  remote: string | undefined;
  size?: number;
  /** what was sent earlier with a secret that is known only now */
  exposed: Exposed[];
}

function report(io: Io, options: Options, prepared: Prepared[], what: Outcome): number {
  if (options.json) {
    const handoffs = prepared.map(
      ({ handoff, version, commit, agent, session, title, records, bytes: size, redactions, uncommitted, findings, unlisted, unreadable, images }) => ({
        handoff,
        version,
        commit,
        agent,
        session,
        title,
        records,
        bytes: size,
        redactions,
        uncommitted,
        findings,
        unlisted,
        unreadable,
        images,
      }),
    );
    printJson(io, {
      handoffs,
      sent: what.sent,
      remote: what.remote ?? null,
      exposed: what.exposed.map((one) => ({ ...one, purgeValue: PURGE_VALUE })),
      ...(what.size === undefined ? {} : { sentBytes: what.size }),
    });
    return 0;
  }
  for (const p of prepared) io.stdout.write(describe(p, options));
  io.stdout.write(exposedText(what.exposed));
  if (what.sent) {
    io.stdout.write(`Sent to ${what.remote}${what.size ? ` (${bytes(what.size)})` : ''}. A teammate types:\n`);
    for (const p of prepared) io.stdout.write(`  relay pull && relay import ${p.handoff} --to <agent>\n`);
  } else if (options.dryRun) io.stdout.write(`Nothing was sent (--dry-run).${wouldGo(prepared, what.remote)}\n`);
  else if (!options.send) io.stdout.write('Nothing was sent (--no-send).\n');
  else io.stdout.write(`${what.remote} has everything already.\n`);
  return 0;
}

function wouldGo(prepared: readonly Prepared[], remote: string | undefined): string {
  if (!remote) return '';
  const going = prepared.filter(isNew).length;
  return going ? ` ${count(going, 'session')} would go to ${remote}.` : ` ${remote} has everything already.`;
}

const isNew = ({ appended, pending }: Prepared): boolean => appended || pending === true;

function describe(p: Prepared, options: Options): string {
  const news = isNew(p) ? (options.dryRun && !p.appended ? '  (recorded here already, not sent yet)' : '') : '  (nothing new)';
  const lines = [`${p.handoff}@${p.version}  ${p.agent}  ${p.records} records, ${bytes(p.bytes)}  ${safeTitle(p.title)}${news}`];
  const kinds = Object.entries(p.redactions.byKind);
  if (kinds.length) lines.push(`  redacted: ${kinds.map(([kind, n]) => `${n} × ${kindName(kind)}`).join(', ')}`);
  if (options.dryRun) {
    for (const f of p.findings)
      lines.push(`    ${kindName(f.kind)} ${f.kind}:${f.fingerprint}  ${safeText(`${f.record} ${f.path}`)}${f.count > 1 ? ` (${f.count}×)` : ''}`);
    if (p.unlisted) lines.push(`    ${count(p.unlisted, 'more place')}, not listed since there are so many`);
  }
  if (p.unreadable) lines.push(`  warning: ${count(p.unreadable, 'line')} could not be read as records (cut or damaged); kept as they are`);
  if (p.images) lines.push(`  ${count(p.images, 'image goes', 'images go')} along; what they show is not looked at for secrets`);
  if (p.uncommitted.length)
    lines.push(
      `  not in any commit on the remote, so a teammate does not have it: ${p.uncommitted.slice(0, 8).map(safeText).join(', ')}${p.uncommitted.length > 8 ? ` and ${p.uncommitted.length - 8} more` : ''}`,
    );
  return `${lines.join('\n')}\n`;
}
