/** What a person answered, as the client words it for the model. */

const APPROVED = /^## Approved Plan[^\n]*:\n/m;

/** The plan that a person has accepted, perhaps after changing it; undefined: the result repeats none. */
export function approvedPlan(said: string): string | undefined {
  const head = said.startsWith('User has approved') ? APPROVED.exec(said) : null;
  return head ? said.slice(head.index + head[0].length).trim() : undefined;
}

/**
 * The answers in `"<question>"="<label>", "<question>"="<label>". You can now continue…`, one for each question, "" where
 * there is none. Questions and answers may hold quotes and commas themselves, so they are found by the questions as asked.
 */
export function answersTo(questions: readonly string[], said: string): string[] {
  const found: { n: number; from: number; at: number }[] = [];
  let from = 0;
  for (const [n, question] of questions.entries()) {
    const head = `"${question}"=`;
    const at = said.indexOf(head, from);
    if (at < 0) continue;
    from = at + head.length;
    found.push({ n, from, at });
  }
  const answers = questions.map(() => '');
  for (const [i, { n, from: begin }] of found.entries()) answers[n] = answer(said.slice(begin, found[i + 1]?.at ?? endOf(said, begin)));
  return answers;
}

function endOf(said: string, from: number): number {
  const end = said.lastIndexOf('. You can now continue');
  return end < from ? said.length : end;
}

/** `"label"`, perhaps with the preview that was chosen and with notes of the person's own, which count as said. */
function answer(text: string): string {
  const [, label = ''] = /^"([\s\S]*?)"(?=[\s,.]*$| selected preview:| (?:user )?notes: )/.exec(text) ?? [];
  const [, notes = ''] = /(?:^|\s)(?:user )?notes: ([\s\S]*)$/.exec(text) ?? [];
  return [label, notes.replace(/[\s,]+$/, '')].filter(Boolean).join('\n');
}

/** `- "<question>"`, `  Answer: …`, `  User notes: …`: what was answered before the person chose to talk the questions over. */
export function partialAnswers(questions: readonly string[], said: string): string[] {
  return questions.map((question, n) => {
    const at = said.indexOf(`- "${question}"\n`);
    if (at < 0) return '';
    const next = questions
      .slice(n + 1)
      .map((one) => said.indexOf(`- "${one}"\n`, at))
      .find((one) => one > at);
    const lines = said.slice(at + question.length + 4, next).split('\n');
    return lines.flatMap((line) => /^ {2}(?:Answer|User notes): (.+)$/.exec(line)?.[1] ?? []).join('\n');
  });
}
