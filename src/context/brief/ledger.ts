import { posix } from 'node:path';
import type { FileEffect } from '#context/shell/effects.ts';
import { isBelow } from '#context/shell/paths.ts';
import { CHANGED, type FileRecord, newRecord, type Swap, swapped, type Version } from './file-record.ts';

/** The operation that did something, and how sure that is. */
export interface Step {
  operation: number;
  order: number;
  sure: boolean;
}

/** Files as the operations of a session leave them, one after the other. */
export class Ledger {
  readonly records: FileRecord[] = [];
  readonly #at = new Map<string, FileRecord>();

  /** What one operation does to a file. `swaps`: the texts that an edit replaced, where they are known. */
  apply(effect: FileEffect, step: Step, swaps?: readonly Swap[]): void {
    if (!step.sure) return this.#doubt(effect, step);
    switch (effect.kind) {
      case 'read':
        return this.#read(effect.path, step);
      case 'edit':
        for (const record of this.#named(effect.path)) this.#edit(record, step, swaps);
        return;
      case 'write':
        this.#write(effect.path, step);
        return;
      case 'make':
        return this.#make(effect.path, effect.folder, step);
      case 'delete':
        for (const record of this.#whole(effect.path)) this.#remove(record, step);
        return;
      case 'move': {
        const to = this.#target(effect);
        for (const record of this.#whole(effect.from)) this.#move(record, effect.from, to, step);
        return;
      }
      default:
        this.#write(this.#target(effect), step).copied ??= effect.from;
    }
  }

  /** Sets a file to what it was, e.g. when it was committed. */
  set(record: FileRecord, version: Version, step: Step): void {
    this.#place(record, version.now);
    record.content = version.content;
    note(record, step);
  }

  /** Files that lie (or lay) at or below one of these paths, or match its `*`; no path: all. */
  among(paths: readonly string[]): FileRecord[] {
    if (!paths.length) return this.records;
    const tests = paths.map((path) => ({ path, glob: globbed(path) }));
    return this.records.filter((record) => {
      const at = [record.path, record.base.now ?? record.path];
      return tests.some(({ path, glob }) => at.some((one) => one === path || isBelow(one, path) || glob?.test(one)));
    });
  }

  /** The file at a path; where nothing is known of one, it was there before the session (`existed`). */
  at(path: string, existed = true): FileRecord {
    const known = this.#at.get(path);
    // Another file may have been moved away from there.
    if (known?.path === path) return known;
    const record = newRecord(path, existed && !known);
    this.records.push(record);
    this.#at.set(path, record);
    return record;
  }

  /** The files that a path of the shell stands for: with `*` all that match, and the pattern itself for those that nothing is known of. */
  #named(path: string): FileRecord[] {
    const glob = globbed(path);
    const matching = glob ? this.records.filter(({ now }) => now !== undefined && now !== path && glob.test(now)) : [];
    return [...matching, this.at(path)];
  }

  /** A file, or a folder with all that is known below it. A folder that holds nothing but what the session made was made by it: its files say all. */
  #whole(path: string): FileRecord[] {
    const below = this.#below(path);
    const ours = below.length > 0 && below.every(({ start }) => start === undefined) && !this.#at.has(path);
    return ours ? below : [...below, ...this.#named(path)];
  }

  #below(folder: string): FileRecord[] {
    return this.records.filter(({ now }) => now !== undefined && isBelow(now, folder));
  }

  #target({ from, to, into }: Extract<FileEffect, { kind: 'move' | 'copy' }>): string {
    const folder = into || this.#at.get(to)?.folder || this.#below(to).length > 0;
    return folder ? posix.join(to, posix.basename(from)) : to;
  }

  #read(path: string, step: Step): void {
    const record = this.at(path);
    record.reads.push(step.operation);
    if (!record.changes.length && record.reads.length === 1) record.last = step.order;
  }

  #edit(record: FileRecord, step: Step, swaps: readonly Swap[] | undefined): void {
    if (record.now === undefined) this.#place(record, record.base.now ?? record.start);
    record.content = swaps?.length ? swaps.reduce(swapped, record.content) : CHANGED;
    note(record, step);
  }

  #write(path: string, step: Step): FileRecord {
    const record = this.at(path, false);
    this.#place(record, path);
    record.content = CHANGED;
    note(record, step);
    return record;
  }

  #make(path: string, folder: boolean, step: Step): void {
    const record = this.at(path, false);
    record.folder ||= folder;
    if (record.now !== undefined) return;
    // A folder with files that were there before was there, too.
    if (folder && this.#below(path).some(({ start }) => start !== undefined)) record.start = path;
    this.#place(record, path);
    note(record, step);
  }

  #remove(record: FileRecord, step: Step): void {
    record.now = undefined;
    note(record, step);
  }

  #move(record: FileRecord, from: string, to: string, step: Step): void {
    const now = record.now ?? from;
    const target = now === from ? to : isBelow(now, from) ? to + now.slice(from.length) : posix.join(to, posix.basename(now));
    const there = this.#at.get(target);
    if (there && there !== record && there.now !== undefined) return this.#replace(there, record, step);
    this.#place(record, target);
    note(record, step);
  }

  /** One file put in the place of another: the other one has a new content. What was made only for that leaves no trace. */
  #replace(there: FileRecord, by: FileRecord, step: Step): void {
    there.content = CHANGED;
    note(there, step);
    this.#remove(by, step);
    by.merged = by.start === undefined;
  }

  #place(record: FileRecord, path: string | undefined): void {
    record.now = path;
    if (path === undefined) return;
    record.path = path;
    this.#at.set(path, record);
  }

  #doubt(effect: FileEffect, step: Step): void {
    if (effect.kind === 'read') return;
    const path = 'path' in effect ? effect.path : effect.kind === 'copy' ? this.#target(effect) : effect.from;
    const record = this.at(path, effect.kind === 'edit' || effect.kind === 'delete' || effect.kind === 'move');
    record.doubts.push(step.operation);
    record.last = step.order;
  }
}

/** What is sure now says more than what may have happened before. */
function note(record: FileRecord, { operation, order }: Step): void {
  if (record.changes.at(-1) !== operation) record.changes.push(operation);
  record.doubts = [];
  record.last = order;
}

function globbed(pattern: string): RegExp | undefined {
  if (!/[*?]/.test(pattern)) return undefined;
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (found) => GLOB[found] ?? `\\${found}`);
  return new RegExp(`^${source}$`);
}

const GLOB: Record<string, string> = { '**/': '(?:[^/]+/)*', '**': '.*', '*': '[^/]*', '?': '[^/]' };
