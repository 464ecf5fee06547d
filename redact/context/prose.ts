import { type Hit, matchEnd } from '../engine/ranges.ts';
import { isSecret, isStandIn, isStriking, type Manner } from './judge.ts';
import type { Name } from './named.ts';
import { isPlainValue, valueAt } from './named.ts';

/** What may stand between a name and what is said of it: "the password for ann", "the token (staging)", "Unseal Key 1". */
const OF =
  '(?:[ ](?:for|of|to|on|in|at|from|you|für|von|zum|de|du|des|da|do|para|pour|voor|per|für)[ ][^\\n:：=!?]{1,60}?|[ ]?[(（][^()（）\\n]{1,40}[)）]|[ ]\\d{1,3})';
const CLOSE = '(?:["\'`\\])]|\\*{1,2}|__){0,4}';
const IS = `(?:is|was|are|were|(?:will|should|must|to) be|(?:has|have) been (?:re)?set to|(?:re)?set to|changed to|updated to|to|equals|ist|lautet|war|es|era|fue|est|était|é|è|jest|är|er|là)(?: now| just| still| currently| set to| temporarily)?:?`;

interface Saying {
  /** from the end of the name to the value; flag y */
  after: RegExp;
  manner: Manner;
}

const SAYINGS: readonly Saying[] = [
  { after: new RegExp(`${CLOSE}${OF}?[ ]${IS}(?:[ ]{1,3}|\\n{1,2}(?=\\S{6,200}[ ]{0,4}(?:\\n|$)))`, 'iy'), manner: 'said' },
  { after: new RegExp(`${CLOSE}${OF}[ ]?(?:[:：=](?!//)|->|→)[ ]{0,3}`, 'iy'), manner: 'said' },
  { after: new RegExp(`${CLOSE}(?:[ ][^\\n:：=.!?;]{1,64}?[:：]|[?？])[ ]{1,3}`, 'y'), manner: 'gap' },
  {
    after:
      /(?:[(（][^()（）\n]{1,20}[)）])?(?:已经|已|被|将|要|也|都)?(?:是|为|就是|改成了?|改为|设为|设成|设置[为成]|设定为|重置为|更新为|换成了?)?[:：]?[ ]?/y,
    manner: 'said',
  },
];

/** A verb as well: only what it "is" counts. */
const VERB = /^pass$/i;
const PLAIN: readonly Saying[] = [{ after: /[ ](?:is|was)[ ]/y, manner: 'said' }];
/** A name in a script without spaces may be followed by the value at once. */
const WIDE = /[\u3000-\u9fff\uac00-\ud7af]$/;

/** The value that a sentence gives after the name. */
export function saidAfter(text: string, name: Name): Hit | undefined {
  for (const { after, manner } of VERB.test(name.text) ? PLAIN : SAYINGS) {
    const start = matchEnd(after, text, name.end);
    if (start < 0 || (start === name.end && !WIDE.test(name.text)) || isPlainValue(text, start, name)) continue;
    const said = text.slice(name.end, start);
    const value = valueAt(text, start, name, said, manner);
    if (value && isSecret(value.text, name.text, said === '' || said === ' ' ? 'gap' : manner))
      return { start: value.start, end: value.end, kind: 'pw', rank: 0 };
  }
  return undefined;
}

/** Words that can be spoken and what parts them. None is a secret, and nothing in them leads to one; names and values have other signs. */
const SPOKEN = '(?:[A-Z](?![bcdfghjklmnpqrstvwxz]{4}))?(?:[bcdfghjklmnpqrstvwxz]{0,4}[aeiouy]){0,12}[bcdfghjklmnpqrstvwxz]{0,4}(?![\\w"\'`=-])';
const SPOKEN_WORDS = new RegExp(`(?:[ ,.;()]{1,3}${SPOKEN}){1,40}`, 'y');
/** No way from a name to its value is longer. */
const WAY_MAX = 160;
const SENTENCE_END = /[.;)]\n|[.;)]?$/y;

/** Does nothing but prose follow a name for so long that no value can belong to it? Most mentions of a password are such. */
export function isFollowedByWords(text: string, at: number): boolean {
  const next = text.charCodeAt(at);
  if (next !== 32 && next !== 44 && next !== 46 && next !== 59 && next !== 41) return false;
  SPOKEN_WORDS.lastIndex = at;
  const length = SPOKEN_WORDS.exec(text)?.[0].length ?? 0;
  SENTENCE_END.lastIndex = at + length;
  return length >= WAY_MAX || SENTENCE_END.test(text);
}

const BEFORE = 120;
const ARTICLES =
  '(?:the|your|our|my|its|their|a|an|new|old|default|temporary|initial|current|correct|right|admin|root|db|database|staging|production|prod|test|user|login|master|api)';
/** What comes directly before a name that a value may stand in front of. */
const LEADS =
  /(?:as|is|was|the|your|our|my|its|their|an?|new|old|default|temporary|initial|current|correct|right|admin|root|db|database|staging|production|prod|test|user|login|master|api)[ ]$|[\u4e00-\u9fff][ ]?$|(?:key|name)=["']$/i;
const AHEAD: readonly RegExp[] = [
  new RegExp(`(?:^|[\\s(“"'\`])["'\`]?([^\\s"'\`]{6,80}?)["'\`]?[,.]? ?(?:as|for|is|was|= ?|(?:that|this|which)(?:'s| is| was)) (?:${ARTICLES} ){0,4}$`, 'i'),
  /(?:^|[\s用以为是（(“"'`])([!-~]{6,80})["'`]? ?(?:作为|当作|做|是|就是|当)[\u4e00-\u9fff]{0,6}$/,
  /value=["']([^"'<>]{6,200})["']\s{1,8}(?:key|name)=["']$/,
];

/** What stands between the value and a name in a script without spaces. */
const WIDE_LEAD = /[!-~] ?(?:作为|当作|做|是|就是|当)[\u4e00-\u9fff]{0,6}$/;

/** The value in front of a name: "use X as the password". */
export function saidBefore(text: string, name: Name): Hit | undefined {
  if (VERB.test(name.text)) return undefined;
  const lead = text.slice(Math.max(0, name.start - 14), name.start);
  if (!LEADS.test(lead) || (WIDE.test(lead) && !WIDE_LEAD.test(lead))) return undefined;
  const from = Math.max(0, name.start - BEFORE);
  const before = text.slice(from, name.start);
  if (!/[!-~]{6}/.test(before)) return undefined;
  for (const ahead of AHEAD) {
    const value = ahead.exec(before)?.[1]?.replace(/[.,;:]+$/, '');
    if (!value || isStandIn(value) || !isStriking(value)) continue;
    const start = from + before.lastIndexOf(value);
    return { start, end: start + value.length, kind: 'pw', rank: 0 };
  }
  return undefined;
}
