import type { GitEffect } from '#context/shell/git-effects.ts';
import { CHANGED, type FileRecord, isDirty, isTracked, type Version, versionOf } from './file-record.ts';
import type { Ledger, Step } from './ledger.ts';

/** A commit that the session made. */
export interface Commit {
  operation: number;
  /** as Git printed it; "" where it did not */
  id: string;
  branch: string;
  subject: string;
  deltas: Delta[];
  /** taken back by a later operation: reset off the branch, or reverted by a commit */
  undone?: { operation: number; how: 'reset' | 'reverted' };
  pushed: boolean;
}

interface Delta {
  record: FileRecord;
  before: Version;
  after: Version;
}

/** What concerns branches and remotes alone, as typed. */
export interface Happening {
  operation: number;
  verb: string;
  text: string;
}

/** What Git is told in a session: which files it holds, and in which state. */
export class GitLedger {
  readonly commits: Commit[] = [];
  readonly happenings: Happening[] = [];
  readonly #stashes: { record: FileRecord; version: Version }[][] = [];
  readonly #files: Ledger;

  constructor(files: Ledger) {
    this.#files = files;
  }

  /** What a sure operation did. `printed`: the commits that it named, in order; those made are taken off. */
  apply(effect: GitEffect, step: Step, printed: PrintedCommit[]): void {
    switch (effect.kind) {
      case 'restore':
        return this.#restore(effect, step);
      case 'stage':
        for (const record of this.#files.among(effect.paths)) record.staged ||= isDirty(record);
        return;
      case 'shelve':
        return this.#shelve(effect, step);
      case 'unshelve':
        return this.#unshelve(effect, step);
      case 'drop-shelved':
        this.#stashes.splice(effect.stash === 'all' ? 0 : effect.stash, effect.stash === 'all' ? Number.POSITIVE_INFINITY : 1);
        return;
      case 'commit':
        return this.#commit(effect, step, printed.shift());
      case 'reset':
        return this.#reset(effect, step);
      case 'revert':
        return this.#revert(effect.of, step, printed.shift());
      case 'clean':
        for (const record of this.#files.among(effect.paths))
          if (record.now !== undefined && record.start === undefined && !isTracked(record))
            this.#files.set(record, { ...versionOf(record), now: undefined }, step);
        return;
      case 'history':
        if (effect.verb === 'push') for (const commit of this.commits) commit.pushed ||= !commit.undone;
        this.happenings.push({ operation: step.operation, verb: effect.verb, text: effect.text });
        return;
      default:
        this.#files.apply(effect, step);
    }
  }

  /** The id of the last commit, where Git was asked for it, and those of a log. Lines of an output. */
  learnIds(output: string, ofLast: boolean): void {
    const nameless = this.commits.filter(({ id }) => !id);
    if (!nameless.length) return;
    for (const [, id, subject] of output.matchAll(/^(?:[*|] )*([0-9a-f]{7,40})(?: \([^)\n]*\))?[ \t]+(.+)$/gm)) {
      const named = nameless.findLast((commit) => !commit.id && commit.subject === subject?.trim());
      if (named) named.id = id as string;
    }
    const last = this.#kept().at(-1);
    if (ofLast && last && !last.id) last.id = /^[0-9a-f]{7,40}$/m.exec(output)?.[0] ?? '';
  }

  #restore({ paths, from }: Extract<GitEffect, { kind: 'restore' }>, step: Step): void {
    for (const path of paths) if (!/[*?]/.test(path) && !this.#files.among([path]).length) this.#files.at(path);
    for (const record of this.#files.among(paths)) {
      if (!isTracked(record)) continue;
      if (from !== undefined && paths.length) this.#files.set(record, { now: record.now ?? record.base.now, content: CHANGED }, step);
      else if (isDirty(record)) this.#files.set(record, record.base.now === undefined ? versionOf(record) : record.base, step);
    }
  }

  #shelve({ paths, untracked }: Extract<GitEffect, { kind: 'shelve' }>, step: Step): void {
    const taken = this.#files.among(paths).filter((record) => isDirty(record) && (untracked || isTracked(record)));
    this.#stashes.unshift(taken.map((record) => ({ record, version: versionOf(record) })));
    for (const record of taken) {
      this.#files.set(record, record.base, step);
      record.stashed = true;
    }
  }

  #unshelve({ stash, keep }: Extract<GitEffect, { kind: 'unshelve' }>, step: Step): void {
    for (const { record, version } of this.#stashes[stash] ?? []) {
      this.#files.set(record, version, step);
      record.stashed = false;
    }
    if (!keep) this.#stashes.splice(stash, 1);
  }

  #commit({ message, amend, all, paths }: Extract<GitEffect, { kind: 'commit' }>, { operation }: Step, printed: PrintedCommit | undefined): void {
    const taken = (paths.length ? this.#files.among(paths) : this.#files.records).filter(
      (record) => isDirty(record) && (paths.length > 0 || record.staged || (all && isTracked(record))),
    );
    const last = amend ? this.#kept().at(-1) : undefined;
    const deltas = [...(last?.deltas ?? []), ...taken.map((record) => ({ record, before: record.base, after: versionOf(record) }))];
    if (last) this.commits.splice(this.commits.indexOf(last), 1);
    for (const record of taken) settle(record, versionOf(record));
    const subject = printed?.subject ?? message?.split('\n', 1)[0] ?? last?.subject ?? '';
    this.commits.push({ operation, id: printed?.id ?? '', branch: printed?.branch ?? '', subject, deltas, pushed: false });
  }

  #kept(): Commit[] {
    return this.commits.filter(({ undone }) => !undone);
  }

  #reset({ to, hard }: Extract<GitEffect, { kind: 'reset' }>, step: Step): void {
    const off = this.#after(to);
    for (const commit of off.toReversed()) {
      commit.undone = { operation: step.operation, how: 'reset' };
      for (const { record, before } of commit.deltas) record.base = before;
    }
    if (!hard) return;
    const tracked = new Set(off.flatMap(({ deltas }) => deltas.map(({ record }) => record)));
    for (const record of this.#files.records) {
      if (isDirty(record) && (isTracked(record) || tracked.has(record))) this.#files.set(record, record.base, step);
      record.staged = false;
    }
  }

  /** The commits of the session that a branch loses when it goes back to `ref`. */
  #after(ref: string): Commit[] {
    const kept = this.#kept();
    const steps = backwards(ref);
    if (steps !== undefined) return steps ? kept.slice(-steps) : [];
    const at = kept.findIndex(({ id }) => sameId(id, ref));
    if (at >= 0) return kept.slice(at + 1);
    // A branch of a remote holds what was sent; any other name is older than the session.
    return /^(?:origin|upstream)\/|^@\{u/.test(ref) ? kept.filter(({ pushed }) => !pushed) : kept;
  }

  #revert(of: string, step: Step, printed: PrintedCommit | undefined): void {
    const kept = this.#kept();
    const steps = backwards(of);
    const reverted = steps === undefined ? kept.find(({ id }) => sameId(id, of)) : kept.at(-1 - steps);
    const deltas: Delta[] = [];
    for (const { record, before, after } of reverted?.deltas ?? []) {
      deltas.push({ record, before: record.base, after: before });
      if (record.content === after.content && record.now === after.now) this.#files.set(record, before, step);
      settle(record, versionOf(record));
    }
    if (reverted) reverted.undone = { operation: step.operation, how: 'reverted' };
    this.commits.push({
      operation: step.operation,
      id: printed?.id ?? '',
      branch: printed?.branch ?? '',
      subject: printed?.subject ?? `Revert ${of}`,
      deltas,
      pushed: false,
    });
  }
}

function settle(record: FileRecord, version: Version): void {
  record.base = version;
  record.staged = false;
}

const sameId = (id: string, ref: string): boolean => id !== '' && /^[0-9a-f]{7,40}$/.test(ref) && (id.startsWith(ref) || ref.startsWith(id));

/** How many commits before the last one a name stands for: HEAD 0, HEAD~2 2, HEAD^ 1. undefined: it is no such name. */
function backwards(ref: string): number | undefined {
  const [, tail] = /^(?:HEAD|@)((?:~\d*|\^)*)$/.exec(ref) ?? [];
  if (tail === undefined) return undefined;
  return [...tail.matchAll(/~(\d*)|\^/g)].reduce((sum, [, n]) => sum + (n ? Number(n) : 1), 0);
}

export interface PrintedCommit {
  branch: string;
  id: string;
  subject: string;
}

/** The commits that Git says it made: `[main 1a2b3c4] Subject`. */
export function printedCommits(output: string): PrintedCommit[] {
  return [...output.matchAll(/^\[([^\]\n]*?) ?(?:\(root-commit\) )?([0-9a-f]{7,40})\] (.+)$/gm)].map(([, branch, id, subject]) => ({
    branch: branch as string,
    id: id as string,
    subject: (subject as string).trim(),
  }));
}
