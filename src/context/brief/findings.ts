import { claimsSuccess } from './claims.ts';
import type { Sentence } from './sentences.ts';

/** What a sentence has found out. */
export type Finding = 'cause' | 'measured' | 'ruled out' | 'reported';

/** What went wrong, with the reason behind it: `because` alone also stands in plans. */
const WRONG_BECAUSE =
  /\b(?:fail(?:s|ed|ing|ure)?|refuse[ds]?|wrong|missing|broken|crash(?:es|ed)?|slow(?:er)?|lost|drop(?:s|ped)|errors?|reject(?:s|ed)|times? out|timeout|denied|leak(?:s|ed)?|hangs?|stuck|twice|duplicate[ds]?|empty)\b.{0,160}\b(?:because|since)\b|\b(?:fail(?:s|ed|ure)?|crash(?:es|ed)?|breaks?)\b[^.:]{0,60}: \S|\bwhich\b.{0,60}\b(?:does(?:n(?:'|’)?t| not)|cannot|can(?:'|’)?t|never)\b|\b(?:failure|error|crash|problem|bug|issue|delay|difference)s? (?:was|is|were) (?:the|a|an|that|in)\b/i;
const CAUSE =
  /\bcause(?: found)?: |\broot[- ]cause\b|\b(?:the|real|actual|only) (?:cause|culprit|reason|bug|problem|issue|bottleneck|difference)s? (?:is|was|are|were|lies?|comes?|came|turned)\b|\b(?:is|was|are|were) caused by\b|\bturn(?:s|ed) out\b|\b(?:that|this|it|which)(?:'|’)?s? (?:is|was )?(?:because|why)\b|\b(?:error|gap|difference|delay|latency|leak|spike|failure|crash|drift|rest|noise)s?\b[^.]{0,40}\b(?:comes?|came) from\b|\ba real bug\b|\bthe (?:slow|hot|expensive|wrong|missing|broken|failing) (?:part|path|step|line|bit|piece) is\b|\b(?:is|was) due to\b|\bgets? (?:dropped|lost|overwritten|truncated) (?:by|because|when)\b|\bexplains? (?:the|why|both|all)\b|\bconfirmed\b|\breproduced\b|\bfound (?:it|the (?:cause|bug|reason|problem|leak))\b|原因[^，。；\n]{0,6}(?:是|在于|：|:)|(?:查到|找到|查清|搞清楚)了?[：:]|根因|根本原因|问题(?:出在|在于)|是(?:因为|由于)|罪魁|导致(?:的)?|定位到|查明|确认(?:是|了)|可以?确定/i;
const MEASURE =
  /\d[\d.,]*\s?(?:ms|s|sec(?:onds)?|min(?:utes)?|µs|us|ns|[KMGT]i?B(?:\/s)?|kB|B|bytes?|%|x|×|ops|req\/s|rps|qps|fps|rows?|times|k?Wh|kW|W|mA|A|V|[kMG]?Hz|dB|°C|mm|cm|km|kg|tokens|commits|requests|percent|per cent|倍|毫秒|秒|分钟|条|次|行)(?![A-Za-z])/i;
/** Nobody plans with decimals. */
const DECIMAL = new RegExp(MEASURE.source.replace('[\\d.,]*', '[\\d,]*\\.\\d+'), 'i');
/** Figures of what may be done, or is wanted. */
const PLANNED =
  /\b(?:ways|options?|either|propos(?:e|es|al)|plan(?:s|ned)?|budget|target|goal|cap(?:ped)?|needs?|wants?|set|offer|choice|alternative)\b|方案|要么|或者|目标|预算|上限|计划|打算|需要/i;
/** Whether something was done, the operations tell. */
const CLAIMED = /\b(?:verified|validated|deployed|released|rolled out|shipped)\b|已(?:验证|部署|上线|发布)/i;
/** What has a spread, or is a score, needs no unit. */
const SCORE = /\d ?(?:±|\+\/?-) ?\d|\b(?:auc|accuracy|f1|rmse|mae|mape|r2|loss|score|precision|recall|perplexity|准确率|召回率)\b[^.\n]{0,30}\d\.\d+/i;
const MEASURED =
  /\b(?:measured|measures?|benchmarks?|baseline|takes?|took|drops?|dropped|rises?|rose|fell|falls|went|goes|down to|up to|instead of|reach(?:es|ed)?|peaks?|peaked|costs?|gives?|gave|brings?|brought|yields?|result|faster|slower|the same|improved?|median|average|mean|throughput|latency|p\d\d|saves?|saved|shrinks?|grew|now at|stays? at|runs at|(?:is|are) (?:now )?at|leaves|leaving|weighs?|scores?|scored|finish(?:es|ed) in|ran|comes? (?:out at|to)|totals?|used|final)\b|实测|测得|测出|耗时|跑(?:一次|完|了|下来)|用了|花了|占|剩|降到|降至|降低|升到|提升|缩短|减少到|峰值|平均|稳定在|只要|只需|基线|吞吐/i;
/** A verdict at the head of a sentence; the evidence behind it may say what would have been. */
const NOT_IT =
  /^(?:so )?(?:it(?:'|’)?s )?not (?:the|our|your|from the) (?!same|only|first|last|best|default|end|case|right|point|kind|whole|full)[^,:;.?]{2,40}[:,;.—]|^(?:所以)?不是[^，。；：:？]{1,20}(?:[：:，。]|的问题)/i;
const RULED_OUT =
  /\b(?:has|had|have) nothing to do with\b|\brule[sd]? (?:it |that |this |them )?out\b|\bruling out\b|\b(?:is|was|are|were)(?:n(?:'|’)?t| not) (?:the |a |our |to |an )?(?:\w+ )?(?:cause|problem|bottleneck|culprit|reason|issue|blame|it|explanation|source)\b|\bnot (?:caused by|due to|because of|related to)\b|\bit(?:'|’)?s? (?:is )?not (?:the|a|an|our|your) \w+|\b(?:had|has|have|makes?|made) (?:no|little|hardly any) (?:effect|difference|impact|influence|change)\b|\b(?:does|do|did)(?:n(?:'|’)?t| not) (?:help|change (?:anything|it)|matter|explain|reproduce)\b|\bchange[sd]? nothing\b|\bdead end\b|\bhypothesis (?:is|was) wrong\b|\bcan be excluded\b|\bis innocent\b|\b(?:no|not any) better than\b|排除(?!故障|问题的)|不是[^，。；]{0,24}(?:原因|问题|瓶颈|造成|导致|引起|的锅)|与[^，。；]{0,24}无关|没有(?:效果|影响|作用|区别|变化|改善)|无效|没用|走不通|行不通|并非|跟[^，。；]{0,20}没关系|不成立/i;
/** Figures, names of code: what other agents are asked to report. */
const FACT = /\d|`[^`\n]+`|\w_\w|\w\(\)/;
/** What a source says, which was read on the way. */
const SOURCE =
  /\b(?:page|docs?|documentation|spec(?:ification)?|standard|reports?|survey|manual|changelog|release notes|rfc|readme|schema|logs?|trace|profile)\b[^.\n]{0,60}\b(?:has|have|says?|states?|lists?|names?|shows?|showed|allows?|requires?|limits?|confirms?|gives?|defines?)\b|(?:文档|规范|报告|日志|手册|标准|网页|页面|火焰图)[^。\n]{0,20}(?:说|写|要求|规定|显示|列|给出|提到)/i;
/** What another agent tells somebody to do. */
const TOLD =
  /^(?:set|delete|drop|remove|run|replace|rename|move|change|switch|update|upgrade|install|disable|enable|rotate|commit|push|apply|create|write|test|ignore|rebuild|read|report|list|check|fix)\b|^(?:改|删|加|用|把|先)/i;
/** What is only thought, asked or meant to be done. */
const UNSURE =
  /[?？]|\b(?:might|may be|maybe|perhaps|possibly|probably|suspect|suspicion|could be|could come|i think|i guess|i assume|hypothesis:|let me|let(?:'|’)s|to rule out|to see|to check|to find|want to|going to|i(?:'|’)ll|i will|we could|would|whether|not sure|unclear|likely|if (?:it|this|that|the|we|you))\b|可能|也许|怀疑|大概|猜|先看|先排除|来排除|看看|是不是|是否|会不会|应该是|似乎|好像|假如|如果|要不要/i;
const ADVICE =
  /\b(?:should|recommend(?:ed|ation)?|suggest|consider|i(?:'|’)d|i would|you (?:must|should|can|could|may|need)|we should|please|never|do not|don(?:'|’)t|must|ought|better to|has agreed|have agreed|permission|allowed to|ideally|worth|next steps?|to-?do|leave|keep|get|make|use|take|add|remove|let(?:'|’)s)\b|建议|应该|请|不要|务必|必须|同意/i;

const ANY = new RegExp([CAUSE, WRONG_BECAUSE, MEASURE, SCORE, SOURCE, NOT_IT, RULED_OUT, FACT].map(({ source }) => source).join('|'), 'i');

export type Speaker = 'user' | 'assistant' | 'agent';

/**
 * What a sentence has found out; undefined: nothing, or it is not sure of it. What a user asks for, and what another agent advises, is no finding;
 * figures of a user are limits and wishes.
 */
export function findingOf(sentence: string, by: Speaker): Finding | undefined {
  if (!ANY.test(sentence)) return undefined;
  if (by !== 'user' && NOT_IT.test(sentence)) return 'ruled out';
  if (UNSURE.test(sentence) || (by !== 'assistant' && ADVICE.test(sentence))) return undefined;
  if (RULED_OUT.test(sentence)) return by === 'user' && !/\d|rule|排除|无关/i.test(sentence) ? undefined : 'ruled out';
  if (CAUSE.test(sentence) || (by === 'assistant' && WRONG_BECAUSE.test(sentence))) return 'cause';
  if (by !== 'user' && measures(sentence)) return 'measured';
  return reports(sentence, by) ? 'reported' : undefined;
}

function measures(sentence: string): boolean {
  if (!/\d/.test(sentence) || CLAIMED.test(sentence)) return false;
  if (MEASURE.test(sentence) && MEASURED.test(sentence)) return true;
  return !PLANNED.test(sentence) && (DECIMAL.test(sentence) || SCORE.test(sentence));
}

function reports(sentence: string, by: Speaker): boolean {
  if (by === 'agent') return FACT.test(sentence) && !TOLD.test(sentence) && !sentence.startsWith('<');
  return by === 'assistant' && /\d/.test(sentence) && SOURCE.test(sentence);
}

/** "Found it." says nothing; a Chinese character says as much as two letters. */
const QUOTE_MIN = 12;
export const saysEnough = (text: string): boolean => text.length + (text.match(/[\u3400-\u9fff]/g)?.length ?? 0) >= QUOTE_MIN;

/** A longer neighbour says something of its own. In UTF-16 units. */
const NEAR_MAX = 250;

/** Whether a neighbour of a sentence states something more of it: in the same paragraph, no doubt, question, intention or advice. */
export function tells(near: Sentence | undefined, sentence: Sentence): boolean {
  if (near?.kind !== 'prose' || sentence.kind !== 'prose' || near.text.length > NEAR_MAX || !saysEnough(near.text)) return false;
  const gap = near.start < sentence.start ? sentence.start - near.end : near.start - sentence.end;
  return gap <= 1 && isStated(near.text) && !claimsSuccess(near.text);
}

const isStated = (sentence: string): boolean =>
  !UNSURE.test(sentence) && !ADVICE.test(sentence) && !/^(?:options?|next|then|now|first|ok|starting|done)\b/i.test(sentence);
