import { describe, expect, test } from 'vitest';
import { steps } from '#context/brief/steps.ts';
import { waiting } from '#context/brief/waiting.ts';
import { wordsOf } from '#context/words/index.ts';
import { run, type Told, told } from '../support/session-told.ts';

const words = wordsOf();
const waits = (things: readonly Told[]): string[] => waiting(told(things), words).map(({ text }) => text);

describe('what waits for somebody else, or was put off', () => {
  test.each<[string, string[]]>([
    ['Maria has to sign off before it goes out.', ['Maria has to sign off before it goes out.']],
    ['Fix the typo. And ask Tomasz first before you touch the CSP.', ['And ask Tomasz first before you touch the CSP.']],
    ['Leave the ports until ops have answered.', ['Leave the ports until ops have answered.']],
    [
      'The wording is not ours, Dr. Aydin has to sign it off. She gets back to me on Thursday.',
      ['The wording is not ours, Dr. Aydin has to sign it off. She gets back to me on Thursday.'],
    ],
    ['That file belongs to Tomasz. Until he answers leave it.', ['That file belongs to Tomasz. Until he answers leave it.']],
    ["Don't push, Nadia wants to look at the merge first.", ["Don't push, Nadia wants to look at the merge first."]],
    ["Don't deploy it yourself, Milan does that on Thursday", ["Don't deploy it yourself, Milan does that on Thursday"]],
    ['Designs are with Ines, she has not decided yet.', ['Designs are with Ines, she has not decided yet.']],
    ['legal has not answered yet, so keep the old text', ['legal has not answered yet, so keep the old text']],
    ["i'll check with the bank", ["i'll check with the bank"]],
    ['等魏工确认。', ['等魏工确认。']],
    ['合同文案法务还没回，先留空。', ['合同文案法务还没回，先留空。']],
    ['这个要财务拍板，别改。', ['这个要财务拍板，别改。']],
    ['退款单先跳过，等财务把口径定了再说。', ['退款单先跳过，等财务把口径定了再说。']],
    ['SMS later, after the pilot.', ['SMS later, after the pilot.']],
    ['feeds can wait until next week', ['feeds can wait until next week']],
    ['Skip 4.3 for now, the cameras are not ordered yet.', ['Skip 4.3 for now, the cameras are not ordered yet.']],
    ['the fix has to go into 3.x as well, but only after the review', ['the fix has to go into 3.x as well, but only after the review']],
    ['Not in this PR please.', ['Not in this PR please.']],
    ["don't do the flag now", ["don't do the flag now"]],
    ['wire it into main.dart next time', ['wire it into main.dart next time']],
    ["let's postpone the upgrade", ["let's postpone the upgrade"]],
    ['先别写 cron 脚本。', ['先别写 cron 脚本。']],
    ['这个以后再说', ['这个以后再说']],
    ['导出下个迭代再做。', ['导出下个迭代再做。']],
    ['after the release', ['after the release']],
    // neither
    ['At most 3 attempts, and after that the patient goes on the list.', []],
    ['Please fix the login.', []],
    ['It must agree with encoding/json on everything.', []],
    ['I want notes to be kept on the phone and sent later.', []],
    ['Wait for the build to finish before you measure.', []],
    ['I just asked Jonas: the export is written at 04:15.', []],
    ['Should we wait for Maria?', []],
    ['The script waits for the lock.', []],
    ['Keep the URLs as they are.', []],
    ['Docker is still slow here.', []],
    ['老接口的返回结构原样留着。', []],
    ['它不能超过 3 个并发。', []],
  ])('%s', (said, expected) => expect(waits([{ user: said }])).toEqual(expected));

  test.each<[string, Told[], string[]]>([
    ['answered', [{ user: 'Maria has to sign off first.' }, { assistant: 'OK.' }, { user: 'Maria signed off, go ahead' }], []],
    [
      'not answered yet',
      [{ user: 'Maria has to sign off first.' }, { assistant: 'OK.' }, { user: 'Maria has not answered yet' }],
      ['Maria has to sign off first.', 'Maria has not answered yet'],
    ],
    ['another has answered', [{ user: 'Maria has to sign off first.' }, { assistant: 'OK.' }, { user: 'Tom signed off' }], ['Maria has to sign off first.']],
    ['魏工回复了', [{ user: '等魏工确认。' }, { assistant: '好。' }, { user: '魏工说可以装' }], []],
    ['taken up again', [{ user: 'The opt-out page can wait.' }, { assistant: 'OK.' }, { user: "ok, let's do the opt-out page" }], []],
    [
      'put off once more',
      [{ user: 'The opt-out page can wait.' }, { assistant: 'OK.' }, { user: 'the opt-out page still has to wait' }],
      ['The opt-out page can wait.', 'the opt-out page still has to wait'],
    ],
    [
      'the assistant repeats it',
      [{ user: 'Maria has to sign off first.' }, { assistant: 'Open: nothing goes out until Maria has signed off.' }],
      ['Maria has to sign off first.'],
    ],
    [
      'only the assistant says it',
      [{ user: 'Go on.' }, { assistant: 'The key is in. Nothing is deployed until Milan has confirmed it.' }],
      ['Nothing is deployed until Milan has confirmed it.'],
    ],
    [
      'an earlier word of the assistant',
      [{ user: 'Go on.' }, { assistant: 'Nothing is deployed until Milan has confirmed it.' }, { assistant: 'Deployed.' }],
      [],
    ],
  ])('%s', (_, things, expected) => expect(waits(things)).toEqual(expected));
});

describe('the next steps in the last message', () => {
  const next = (...things: Told[]): string[] => steps(told([{ user: 'Go on.' }, ...things]), words).map(({ text }) => text);

  test.each<[string, string, string[]]>([
    ['next', '40 tests pass. Next: open the store and wire the outbox.', ['Next: open the store and wire the outbox.']],
    ['open', 'Committed as 91ce03d. Open: the arm64 measurement on Monday.', ['Open: the arm64 measurement on Monday.']],
    ['not done', 'The list is there. Nothing of this is committed.', ['Nothing of this is committed.']],
    ['still failing', 'Two are green, the third still fails (+1 -1).', ['Two are green, the third still fails (+1 -1).']],
    ['a list', 'Done: the store.\n\nNext steps:\n- wire the outbox\n- add the badge', ['wire the outbox', 'add the badge']],
    ['under a heading', 'Done.\n\n## Remaining\n\n1. Migrate webhooks\n2. Tell the partners', ['Migrate webhooks', 'Tell the partners']],
    ['Chinese', '用例全过。接下来把超时改成 30 秒。', ['接下来把超时改成 30 秒。']],
    ['Chinese list', '写完了。还没做的：\n- 每天建新分区\n- prod 的窗口', ['每天建新分区', 'prod 的窗口']],
    ['options of a question are no steps', '还剩过期文件怎么清，需要你定：\n\nA. 生命周期规则\nB. 定时任务\n\n你选哪个？', []],
    ['a report', 'All 14 tests pass, committed as 3d9be71.', []],
    ['a question', 'Shall I do the webhooks next?', []],
  ])('%s', (_, last, expected) => expect(next({ assistant: last })).toEqual(expected));

  test('not what was done after it, nor what an earlier message named', () => {
    expect(next({ assistant: 'Next: run make dry-run YEAR=2025.' }, run('make dry-run YEAR=2025'))).toEqual([]);
    expect(next({ assistant: 'Next: wire the outbox.' }, { assistant: 'The outbox is wired.' })).toEqual([]);
    expect(next({ assistant: 'Next: wire the outbox.' }, { user: 'Stop here.' })).toEqual([]);
  });
});
