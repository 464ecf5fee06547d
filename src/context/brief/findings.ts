/** What a sentence has found out. */
export type Finding = 'cause' | 'measured' | 'ruled out' | 'place';

/** What went wrong, with the reason behind it: `because` alone also stands in plans. */
const WRONG_BECAUSE =
  /\b(?:fail(?:s|ed|ing|ure)?|refuse[ds]?|wrong|missing|broken|crash(?:es|ed)?|slow(?:er)?|lost|drop(?:s|ped)|errors?|reject(?:s|ed)|times? out|timeout|denied|leak(?:s|ed)?|hangs?|stuck|twice|duplicate[ds]?|empty)\b.{0,160}\b(?:because|since)\b|\b(?:fail(?:s|ed|ure)?|crash(?:es|ed)?|breaks?)\b[^.:]{0,60}: \S|\bwhich\b.{0,60}\b(?:does(?:n(?:'|’)?t| not)|cannot|can(?:'|’)?t|never)\b|\b(?:failure|error|crash|problem|bug|issue|delay|difference)s? (?:was|is|were) (?:the|a|an|that|in)\b/i;
const CAUSE =
  /\bcause(?: found)?: |\broot[- ]cause\b|\b(?:the|real|actual|only) (?:cause|culprit|reason|bug|problem|issue|bottleneck|difference)s? (?:is|was|are|were|lies?|comes?|came|turned)\b|\b(?:is|was|are|were) caused by\b|\bturn(?:s|ed) out\b|\b(?:that|this|it|which)(?:'|’)?s? (?:is|was )?(?:because|why)\b|\b(?:error|gap|difference|delay|latency|leak|spike|failure|crash|drift|rest|noise)s?\b[^.]{0,40}\b(?:comes?|came) from\b|\ba real bug\b|\bthe (?:slow|hot|expensive|wrong|missing|broken|failing) (?:part|path|step|line|bit|piece) is\b|\b(?:is|was) due to\b|\bgets? (?:dropped|lost|overwritten|truncated) (?:by|because|when)\b|\bexplains? (?:the|why|both|all)\b|\bconfirmed\b|\breproduced\b|\bfound (?:it|the (?:cause|bug|reason|problem|leak))\b|原因(?:是|在于|：|:)|根因|根本原因|问题(?:出在|在于)|是(?:因为|由于)|罪魁|导致(?:的)?|定位到|查明|确认(?:是|了)|可以?确定/i;
const MEASURE =
  /\d[\d.,]*\s?(?:ms|s|sec(?:onds)?|min(?:utes)?|µs|us|ns|[KMGT]i?B(?:\/s)?|kB|%|x|×|ops|req\/s|rps|qps|fps|rows?|times|k?Wh|kW|W|mA|A|V|[kMG]?Hz|dB|°C|mm|cm|km|kg|tokens|commits|requests|percent|per cent|倍|毫秒|秒|分钟|条|次|行)(?![A-Za-z])/i;
const MEASURED =
  /\b(?:measured|measures?|benchmarks?|baseline|takes?|took|drops?|dropped|rises?|rose|fell|falls|went|goes|down to|up to|instead of|reach(?:es|ed)?|peaks?|peaked|costs?|gives?|gave|brings?|brought|yields?|result|faster|slower|the same|improved?|median|average|mean|throughput|latency|p\d\d|saves?|saved|shrinks?|grew|now at|stays? at|runs at|final)\b|实测|测得|测出|耗时|降到|降至|降低|升到|提升|缩短|减少到|峰值|平均|稳定在|只要|只需|基线|吞吐/i;
const RULED_OUT =
  /\brule[sd]? (?:it |that |this |them )?out\b|\bruling out\b|\b(?:is|was|are|were)(?:n(?:'|’)?t| not) (?:the |a |our |to |an )?(?:\w+ )?(?:cause|problem|bottleneck|culprit|reason|issue|blame|it|explanation|source)\b|\bnot (?:caused by|due to|because of|related to)\b|\bit(?:'|’)?s? (?:is )?not (?:the|a|an|our|your) \w+|\b(?:had|has|have|makes?|made) (?:no|little|hardly any) (?:effect|difference|impact|influence|change)\b|\b(?:does|do|did)(?:n(?:'|’)?t| not) (?:help|change (?:anything|it)|matter|explain|reproduce)\b|\bchange[sd]? nothing\b|\bdead end\b|\bhypothesis (?:is|was) wrong\b|\bcan be excluded\b|\bis innocent\b|\b(?:no|not any) better than\b|排除(?!故障|问题的)|不是[^，。；]{0,24}(?:原因|问题|瓶颈|造成|导致|引起|的锅)|与[^，。；]{0,24}无关|没有(?:效果|影响|作用|区别|变化|改善)|无效|没用|走不通|行不通|并非|跟[^，。；]{0,20}没关系|不成立/i;
/** A place in the code, or a limit: what reports of agents are asked for. */
const PLACE =
  /(?:^|[\s`("'（])[\w@.-]*[\w/-]+\.\w{1,5}:\d+|\b(?:at most|at least|max(?:imum)?\.?|min(?:imum)?|up to|no more than|limit(?:ed)?)\b[^.\n]{0,40}\d|(?:最多|至少|不超过|上限)[^。\n]{0,20}\d/i;
/** What is only thought, asked or meant to be done. */
const UNSURE =
  /[?？]|\b(?:might|may be|maybe|perhaps|possibly|probably|suspect|suspicion|could be|could come|i think|i guess|i assume|hypothesis:|let me|let(?:'|’)s|to rule out|to see|to check|to find|want to|going to|i(?:'|’)ll|i will|we could|would|whether|not sure|unclear|likely|if (?:it|this|that|the|we|you))\b|可能|也许|怀疑|大概|猜|先看|先排除|来排除|看看|是不是|是否|会不会|应该是|似乎|好像|假如|如果|要不要/i;
const ADVICE =
  /\b(?:should|recommend(?:ed|ation)?|suggest|consider|i(?:'|’)d|i would|you (?:must|should|can|could|may|need)|we should|please|never|do not|don(?:'|’)t|must|ought|better to|has agreed|have agreed|permission|allowed to|leave|keep|get|make|use|take|add|remove|let(?:'|’)s)\b|建议|应该|请|不要|务必|必须|同意/i;

const ANY = new RegExp([CAUSE, WRONG_BECAUSE, MEASURE, RULED_OUT, PLACE].map(({ source }) => source).join('|'), 'i');

export type Speaker = 'user' | 'assistant' | 'agent';

/**
 * What a sentence has found out; undefined: nothing, or it is not sure of it. What a user asks for, and what another agent advises, is no finding;
 * figures of a user are limits and wishes.
 */
export function findingOf(sentence: string, by: Speaker): Finding | undefined {
  if (!ANY.test(sentence) || UNSURE.test(sentence) || (by !== 'assistant' && ADVICE.test(sentence))) return undefined;
  if (RULED_OUT.test(sentence)) return by === 'user' && !/\d|rule|排除|无关/i.test(sentence) ? undefined : 'ruled out';
  if (CAUSE.test(sentence) || (by === 'assistant' && WRONG_BECAUSE.test(sentence))) return 'cause';
  if (by !== 'user' && MEASURE.test(sentence) && MEASURED.test(sentence)) return 'measured';
  return by === 'agent' && PLACE.test(sentence) ? 'place' : undefined;
}

/** Whether a sentence states something: no doubt, question, intention or advice. */
export const isStated = (sentence: string): boolean =>
  !UNSURE.test(sentence) && !ADVICE.test(sentence) && !/^(?:options?|next|then|now|first|ok|starting|done)\b/i.test(sentence);
