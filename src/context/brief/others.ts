/** Who is no part of the conversation: a name, a role, a group, or a word that stands for one. */
const NAME = /(?<![\w.@/])(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? |Prof\.? )?[A-Z][a-zà-ÿ]+(?:[- ][A-Z][a-zà-ÿ]+)?(?![\w/(-]|\.\w)/g;
/** Begin a sentence, or are written so for other reasons. */
const NO_NAME = new Set(
  'I The A An And But So If In On At It Its This That These Those There Then Here He She They We You Your Our My His Her Their Not No Yes Yeah Ok Okay Also Only Just Until Till Before After When Once While As For From To With Without Please Pls Let Lets Leave Keep Use Take Make Do Don Does Did Is Are Was Were Be Can Could Should Would Will Shall May Must Has Have Had Good Great Nice Fine Right Correct Sure Thanks Sorry Hm Oh Well Now Next Later First Second One Two Three Four Wait Waiting Stop Ask Check Talk Confirm Skip Hold Someone Somebody Everyone Nobody Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December English Chinese German French Postgres Redis Docker Kubernetes Linux Windows Android Chrome Firefox Safari Python Java Node Rust React Git Github Gitlab Open Still What Which Who Why How Where Another Other All Both Each Every Some Any Because Since Though However Today Tomorrow Tonight Yesterday Production Staging Add Fix Write Run Commit Push Merge Deploy Move Put Set Go Get Put Try'.split(
    ' ',
  ),
);
const ROLE =
  /\b(?:(?:the|our|my|their|his|her|a) )?(?:ops|legal|finance|marketing|security team|compliance|procurement|accounting|billing team|reviewers?|colleagues?|boss|manager|management|managers|(?:product |code |data |system )?owners?|designers?|customers?|clients?|vendors?|suppliers?|bank|lawyers?|auditors?|dbas?|admins?|sysadmins?|(?:\w+ )?(?:team|people|folks|guys|department|officer|lead|council|board|committee|maintainers?|provider|supplier|partners?|stakeholders?)|upstream|qa|support|cto|ceo|ciso|pm|po|hr|it department)\b/gi;
const SURNAME =
  '[王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文]';
const CHINESE = new RegExp(
  `${SURNAME}(?:工(?![作具程期])|总(?!是|数|量|体)|哥|姐|经理|老师|主任|博士)|[小老阿]${SURNAME}|法务|财务|运维|产品经理|老板|领导|客户|甲方|乙方|设计师|[\\u3400-\\u9fff]{2}(?:组|部门|团队|那边)|同事|负责人|对方|供应商|审计|合规|业务方|上级|DBA|银行`,
  'g',
);
const PRONOUN = /\b(?:he|she|they|him|her|them)\b|他们?|她们?/i;

/** The others that a sentence names, in lower case. */
export function othersIn(sentence: string): Set<string> {
  const found = new Set<string>();
  for (const [name] of sentence.matchAll(NAME)) {
    const first = name.split(/[ -]/)[0] as string;
    if (!NO_NAME.has(first)) found.add(name.replace(/^(?:Dr|Mr|Mrs|Ms|Prof)\.? /, '').toLowerCase());
  }
  for (const [role] of sentence.matchAll(ROLE)) found.add(role.toLowerCase().replace(/^(?:the|our|my|their|his|her|a) /, ''));
  for (const [role] of sentence.matchAll(CHINESE)) found.add(role.toLowerCase());
  return found;
}

/** True where a pronoun stands for somebody who was named before. */
export const meansSomebody = (sentence: string): boolean => PRONOUN.test(sentence);

/** Says that no answer has come, whatever else of its words an answer would have. */
const NOT_YET =
  /\b(?:has|have|had|is|did)(?:n['’]?t| not)\b|\b(?:until|till|still|nothing from|no answer|no reply)\b|还没|尚未|没有?(?:回|答|确认|批|定|说)|等/i;

/** True where somebody of these has answered. `answer`: the words that say so (see `brought`). */
export const haveAnswered = (sentence: string, others: ReadonlySet<string>, answer: RegExp): boolean =>
  answer.test(sentence) && !NOT_YET.test(sentence) && [...othersIn(sentence)].some((one) => others.has(one));
