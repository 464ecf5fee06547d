import type { Evidence, Statement } from '#context/evidence/evidence.ts';
import type { CheckKind } from '#context/shell/check-kinds.ts';
import { type CheckRun, checkRuns } from './check-runs.ts';
import { lastRuns } from './checks.ts';
import { cite } from './cite.ts';
import { lastEdit } from './last-edit.ts';
import { sentences } from './sentences.ts';

/** A sentence of the assistant that says that something succeeded. */
export interface Claim {
  text: string;
  /** number of the statement */
  n: number;
  cite: string;
  /** shown: the last fitting check says so, too. refuted: the last one says otherwise. not shown: there is none, it has no result, or files were changed after it. */
  standing: 'shown' | 'not shown' | 'refuted';
  /** the operation that shows or refutes it */
  by?: string;
}

const PASSED =
  /\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|succeeded|clean|successful(?:ly)?|no (?:errors|failures|warnings))\b|通过|成功|全绿|没有(?:报错|错误)/i;
const SUBJECTS: readonly [CheckKind, RegExp][] = [
  ['test', /\b(?:tests?|specs?|suite|pytest|vitest|jest|everything|all)\b|测试|用例|全部|全绿/i],
  ['build', /\b(?:builds?|compiles?|compilation|everything)\b|构建|编译|打包/i],
  ['types', /\b(?:type ?checks?|types|tsc|mypy|pyright)\b|类型检查/i],
  ['lint', /\b(?:lint(?:er|ing|s)?|eslint|clippy|ruff|biome)\b|静态检查/i],
];
const DONE =
  /^\W*(?:all )?(?:done|fixed|finished|completed?|implemented|resolved|solved)\b|\b(?:is|are|has been|have been|now|all) (?:now |all |fully )?(?:fixed|done|complete|completed|finished|resolved|solved|implemented|working)\b|\bworks (?:now|again|as expected|fine)\b|\bI(?:'|’)?(?:ve| have)? (?:now )?(?:fixed|finished|completed|implemented|solved|resolved)\b|\bsuccessfully (?:implemented|fixed|completed|migrated|deployed|added)\b|已(?:经)?(?:全部)?(?:完成|修复|解决|实现|修好|改好|搞定|处理好)|(?:修复|完成|解决|搞定|改好|修好|做完|写完|弄好)了|(?:全部|都)(?:完成|修复|解决|好了)|^\W*(?:完成|搞定|修好)(?:了|。|！|!|$)/i;
/** What is meant, asked, or holds under a condition or in part only. */
const NO_CLAIM =
  /[?？]|\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|\bfail(?:s|ed|ing)?\b|失败|\b(?:not|cannot|can't|won't|isn't|aren't|doesn't|don't|didn't|hasn't|haven't|never|no longer|almost|nearly|once|when|if|until|unless|after|before|should|would|will|could|may|might|to be|need|must|let me|going to|hopefully|expect|make sure|ensure|verify|whether|except|but|only|apart|remaining|still|yet|partly|half|two of|some|one of|as soon as|so that)\b|n’t\b|未|没(?!有(?:报错|错误))|不|尚|如果|应该|可能|是否|之后|然后再|除|确保|将|还(?:有|差|剩|要)|待|等(?!等)|后再|才|只/i;

/** Whether a sentence says, without condition, that something succeeded. */
export const claimsSuccess = (sentence: string): boolean => !NO_CLAIM.test(sentence) && (DONE.test(sentence) || kindsOf(sentence).length > 0);

const kindsOf = (sentence: string): CheckKind[] =>
  PASSED.test(sentence) ? SUBJECTS.filter(([, subject]) => subject.test(sentence)).map(([kind]) => kind) : [];

/** What the assistant says to have succeeded, in order, and whether the operations show it: the last fitting check decides, also a later one. */
export function claims(evidence: Evidence): Claim[] {
  const runs = lastRuns(checkRuns(evidence));
  const edited = lastEdit(evidence);
  return evidence.statements.flatMap((statement) =>
    statement.by === 'assistant' && (PASSED.test(statement.text) || DONE.test(statement.text)) ? claimsOf(statement, runs, edited) : [],
  );
}

function claimsOf(statement: Statement, runs: readonly CheckRun[], edited: number): Claim[] {
  return sentences(statement.text)
    .filter(({ kind, text }) => kind !== 'code' && kind !== 'quote' && claimsSuccess(text))
    .map(({ text }) => ({ text, n: statement.n, cite: cite.statement(statement), ...standing(text, runs, edited) }));
}

function standing(text: string, runs: readonly CheckRun[], edited: number): Pick<Claim, 'standing' | 'by'> {
  const kinds = kindsOf(text);
  const fitting = runs.filter(
    ({ kind, program }) => !program && (kinds.length ? kinds.includes(kind) : kind === 'test' || kind === 'build' || kind === 'types'),
  );
  const failed = fitting.findLast(({ result }) => result === 'failed');
  if (failed) return { standing: 'refuted', by: cite.operation(failed.operation) };
  const last = fitting.at(-1);
  const shown = last && fitting.every(({ result }) => result === 'passed') && last.operation.n >= edited;
  return shown ? { standing: 'shown', by: cite.operation(last.operation) } : { standing: 'not shown' };
}
