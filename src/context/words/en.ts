import { talkInEnglish } from './en-talk.ts';
import type { Lists } from './lists.ts';

/**
 * English. A phrase stands for itself, whatever its case and spacing; `'` may be missing; `( | )?` and the other signs of regular expressions mean what
 * they mean there. `^` at the beginning: only where a clause begins ("don't touch it", "and don't touch it", not "they don't match"), or the sentence, of what a whole sentence is.
 */
export const english: Lists = {
  casual: [
    "must('ve| have) (been|had|gone|come|got|gotten|done|broken|forgotten|left|lost|run|\\w+ed)",
    'must be (because|due|related|caused|coming|missing|wrong|broken|stale|hitting|cached|something|someone|somebody|that|my|me)',
    'must be (a|an|the|some|another|in the)\\b[^.,;]{0,40}?\\b(bugs?|race|typos?|issues?|problems?|errors?|mistakes?|leaks?|cache|caching|regression|glitch|reasons?|causes?|culprit|way|thing|somewhere)',
    'i (must|should|have to|need to|needed to|gotta) (say|admit|confess|mention|add|ask|go|leave|probably|think|check|look|run|sleep|eat|step|know|understand|figure|apologi[sz]e|have|be missing)',
    '(all|what) (i|we) have to',
    'had to',
    '(i|it|he|she|this|that|which|they) (have |has |had )?(always|never)',
    'always (fails?|failed|failing|wondered|thought|been|had|has|gets?|returns?|shows?|crash\\w*|times out|breaks?|hangs?)',
    'never (finish|work|return|end|stop|fire|trigger|happen|resolve|complete|start|render|load|arrive|reache?|show|use)(es|s|d|ed)',
    'never (mind|been|had|seen|saw|knew|thought|heard|tried|did|was|were)',
    '(not|if) only',
    'the only (problem|issue|question|difference|error|failure|failing|thing (that|i|left))',
    'only (fails?|failed|happens?|happened|works?|worked|occurs?|breaks?|crash\\w*|appears?|returns?|shows? up|saw|seen|noticed|found|reali[sz]ed|just)',
    'only (one|two|three|a few|some|\\d+)( \\w+)? (errors?|failures?|warnings?|fail(ed|s|ing)?|left|remain(s|ing)?|passed)',
    '(there (is|are|was|were)|still|got|i see|shows?) no',
    'no (idea|problems?|worries|rush|luck|doubt|thanks|thank you|clue|output|response|result|errors?|difference|effect|success|such|hurry|biggie|wonder|longer|one|matter)',
    "(i|we|you|they|people|users) (do not|don't) (know|think|see|get|understand|remember|recall|believe|mind|care|feel|mean|expect|really|even|have (time|access|an idea|a clue))",
    "(do not|don't) (know|think|see (how|why|what|it|that)|get it|understand|remember|recall|mind|hesitate|worry(?! about))",
    '(that|this|it|which|everything) should (now |probably |just )?(work|do|be (fine|ok|okay|good|enough|it|easy|quick|simple|done|fixed|possible|ready|there))',
    'should be (fine|ok|okay|easy|quick|simple)',
    "should('ve| have) (been|worked|\\w+ed)",
    '(need|have|want|trying|try) to (look|find out|figure|understand|investigate|think|talk|debug|see why|know)',
    "(that's|thats|that is|thanks|done|bye|good|fine|enough|all) (all )?for now",
    'keep (going|it up|up the|at it|trying|me posted|working)',
    '(403|http|got|returns?|returned|error:?|was|is:?) forbidden',
    'forbidden error',
    'requirements\\.txt',
    'use cases?',
    'without (luck|success|errors?|problems?|issues?|any (luck|success|errors?|problems?|issues?|output|reason))',
    '(took|takes|waited|spent|lasted|hangs? for|after|was|were) (more|less|fewer|under|over|at least|only|about)( than)?',
    'at least (it|that|we|i|now|this)',
    "(can not|cannot|can't|could not|couldn't|will not|won't|would not|wouldn't) (reproduce|connect|find|see|start|open|load|build|compile|resolve|work|log|parse|understand|believe|remember|figure|tell|seem|wait|recall|boot|launch|install|even|render|reach)",
    '(hit|hits|hitting|reached?|exceeded|out of) (the |a |my |our )?(\\w+ )?limits?',
  ],
  binding: [
    // orders not to
    "^(do not|don't|never|not (to|now|yet|until|before|without|in|on|for)|no|avoid|refrain|stop \\w+ing|quit \\w+ing|cut out|not)(?![,.!:])",
    "(please|pls|plz) (do not|don't|no|not)",
    '(must|shall|should|may|can|could|need|will) (not|never|only|always)',
    "(mustn't|shouldn't|can't|cannot|may not|needn't|won't) (be|go|have|use|add|touch|change|exceed|break|leave|depend|rely|require|need|lose|drop|block|write|read|do|put|upgrade|update|move|ship|deploy|run|store|log|send|get|sign)",
    "(we|you|they|customers?|users?|clients?|ops|legal|security) (do not|don't|never|will not|won't) (use|support|allow|ship|have|want|need|do|add|touch|commit|merge|deploy|log|store|run|accept|put|write|break|rename|pin|mock|keep|get|sign|pay|own|control|\\w+)",
    "(is|are|it's|be|stays?|remains?) (not |never )?(frozen|untouchable|off[ -]?limits|out of scope|out of the question|off the table|read[ -]only|forbidden|prohibited|disallowed|banned|taboo|not allowed|not permitted|mandatory|required|non-negotiable|fixed|final|a must|set in stone|allowed)",
    'not (allowed|permitted|acceptable|negotiable|an option|supported|touched|available|ours|yours)',
    '(prohibit\\w*|disallow\\w*|forbids?|forbidden|off[ -]limits|out of scope|out of the question|hands off|non-negotiable|mandatory|under no circumstances|on no account|at all costs?|no matter what)',
    "i (do not|don't|won't|will not) (want|need|like|accept|allow|wish|get)",
    '(no new|no more|no extra|no additional|no other|no external|nothing else|nowhere else|nobody else|nothing more|no further)',
    '(never|no \\w+) (\\w+ ){0,3}(leaves?|touch(es)?|goes|changes?|calls?|writes?|blocks?|sees?|holds?|contains?|stores?|logs?|depends?)',
    'without (a|any|an|the|new|\\w+ing|\\w+)',
    // orders for always
    '(must|shall|ought to|has to|have to|needs? to|have got to|gotta|is to|are to|supposed to|should)',
    '^(always|make sure|be sure|be careful|ensure|remember|keep|leave|preserve|retain|maintain|stick|stay|respect|follow|treat|assume|restrict|limit|cap|exclude|pin|prefer|use(?! \\w+ed\\b)|reuse|go with|switch to|name (it|the|them)|call (it|them|the|that)|put (it|them|the|all|everything)|target|support|only|just|note that|note:|please note|keep in mind|bear in mind|important|nb|fyi|heads up|be aware)',
    '(make sure|ensure|in any case|always|from now on|from here on|going forward|from today|every time|each time|whenever|at the very end|in every|for every|for each|by default)',
    'backwards?[ -]compat\\w*',
    '(as[ -]is|as it (is|was)|as they (are|were)|the way (it is|they are)|untouched|unchanged|intact|in place|stays? (on|at|with|within|the same|where)|has to stay|the same as|identical)',
    '(leave|keep|let) [^,.;]{1,80}? (alone|out|be|as|at|for|until|till|in|on|to|unchanged)',
    // scopes and times
    '^(skip|ignore|hold off|hold on with|postpone|defer|park|wait|start with|focus on|concentrate on|begin with|stop (at|there|after|before|when|here|once))',
    '(for now|for the time being|for the moment|not now|not yet|not today|first (the|do|of all)|later|next week|next month|this week|today|only|nothing but|except|unless|other than|apart from|until|as long as|before you|after that|can wait|put off)',
    '(ask|check with|confirm with|tell|show|wait for) (me|us|my|him|her|them|first|before)',
    '(my|our|his|her|their) (ok|okay|approval|go-ahead|permission|sign-off|consent|answer|review|confirmation)',
    '(i|we|he|she|they) (say|says|said) so',
    '(signs?|sign off|signed off|approves?|approved|confirms?|confirmed)',
    "(no need|not needed|not necessary|not required|do not bother|don't bother|out for now)",
    // preferences, which bind an agent, too
    "(i'd|i would|we'd|we would) (rather|prefer|like)",
    '(i|we) (want|prefer|expect|insist|require|need)',
    '(instead of|rather than|in favou?r of)',
    '(requirement|constraint|restriction|condition|deadline|budget|rule|policy|convention|guarantee)s?( is| are|:)',
    '(requires?|insists?|demands?|mandates?|expects?|promised|depends? on|rel(y|ies) on|agreed)',
    // decisions of the user
    "(let's|lets|let us|we'll|we will|i'll|i will|we're going to|we are going to|i've decided|i decided|we decided|we agreed|decided|decision|go with|going with|settled on|stick with|stick to|stay with)",
    '(yes|yep|yeah|sure|ok|okay|right|fine|agreed)[,:]? (to|but|with|for|only|then|do|use|go|keep|and)',
    // corrections
    "(i meant?|i was wrong|i misspoke|not what i (asked|meant|said|wanted)|that's (not|wrong)|i said|i told you|as i said|correction|took that back|take that back|scratch that|forget)",
  ],
  limit: [
    '(at most|at least|no more than|not more than|no less than|no fewer than|no longer than|not exceed(ing)?|exceeds?|less than|fewer than|more than|greater than|below|under|above|beneath|over|up to|within|max(imum)?|min(imum)?|limit(ed)?|cap(ped)?|budget|minimum of|maximum of|only has|only have|down to|between)( of| to| at| is| for|:)? (about |around |roughly |~|the |a |an )?([$€£¥]? ?\\d[\\w.,%]*|one|two|three|four|five|six|seven|eight|nine|ten|half|zero|hundred|thousand|single)',
    '([<>]=?|[≤≥]) ?\\d[\\w.,%]*',
    '\\d[\\d.,k]* ?(%|percent|ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|kb|mb|gb|tb|kib|mib|gib|bytes?|lines?|eur|euros?|usd|dollars?|px|fps|rps|qps|cores?|threads?|users?|rows?|retries|attempts|times|files?|characters?|chars|tokens?|[kmg]bit)?( \\w+){0,3} (max|min|maximum|minimum|at most|at least|tops|or less|or more|or fewer|or newer|or later|or older|is the (limit|max\\w*|min\\w*)|ceiling|floor)',
    'is (the|our|their|what)( absolute)? (minimum|maximum|limit|floor|ceiling|baseline|lowest|highest|oldest|newest|least|most)',
    '(what|which) [^.,;]{1,60} at (most|least)',
  ],
  fact: [
    '(prod|production|staging|test|the|our|their|my|each|every|all|this) ?([\\w-]+ ){0,3}(runs?|running|is|are|has|have|had|uses?|supports?|brings?|comes? with|ships?( with)?|accepts?|covers?|costs?|needs?|speaks?|allows?|gets?|holds?|serves?|sits?|lives?|starts?|writes?|reads?|calls?|links?|starts at|is written|depends?) (on |at |with |only |about |still |to |in |for |by |from |until |up to )?([\\w./-]+ ){0,4}?(v?\\d[\\w.,:]*)',
    "(we|they|customers?|users?|clients?|servers?|devices?|boxes|box|machines?|prod|production|staging|ci|ops|browsers?|tablets?|phones?) ?('re|are|is|run|runs|have|has|use|uses|still use|only have|get|gets|support|supports) (still |stuck |only |all |on |at |with )*([\\w.-]+ ){0,3}?(v?\\d[\\w.,]*)",
    '(still|already|also) (uses?|calls?|rel(y|ies)|depends?|needs?|runs?|reads?|links?|compiles?|on)',
    "(has|have|there is|there are|there's|is|are) no (\\w+ )?(api|access|internet|network|threads?|gpu|root|shell|budget|rights?|permissions?|support|memory|disk|way to|connection|clock|browser|\\w+)",
    '(since|from|as of) v?\\d[\\w.]*',
    '(you|we) (should|need to|have to|must) know',
    '(by|before|until|from|starting|in|on|this|next|after) (the )?(end of \\w+|eod|eow|tomorrow|tonight|noon|midnight|mon(day)?|tue(sday)?|wed(nesday)?|thu(rsday)?|fri(day)?|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|q[1-4]|20[2-9]\\d)',
    '(is|are) (shared|public|customer[- ]facing|air[- ]?gapped|offline|rate[- ]limited|billed|legacy|deprecated|generated|vendored|signed|encrypted|not ours)',
  ],
  symptom: [
    '(errors?|exceptions?|failures?|fails?|failed|failing|crash\\w*|warnings?|broken|breaks?|hangs?|stuck|timed? ?out|bugs?|wrong|stack ?trace|flaky|red)',
  ],
  polite: ['^(can|could|would|will) you( please| kindly| also| just| maybe)*', '^would you mind', "^why (don't|not)( you| we)?"],
  asking: [
    "^(why|how come|how (do|does|did|can|could|should|would|is|are|many|much|long|big|about)|what's|whats|what (is|are|was|were|does|do|did|if|about|happens|happened|would|should|else|kind|exactly)|is (there|it|this|that)|are (there|we|you|they)|was (it|there)|does|did|do (we|you|i|they)|can (we|i|it|they|this|that)|could (we|it|this|that|i)|should (i|we|it)|shall (i|we)|will (it|this|that)|would (it|that|this)|has (it|this|that|the)|have (you|we)|who|whom|whose|where (is|are|do|does|did)|when (is|are|do|does|did|will)|which (one|of|file|version|is)|any (idea|chance|reason|way)|(i wonder|i was wondering|wondering|not sure) (if|why|whether|what|how))",
  ],
  tag: ['(ok|okay|please|got it|understood|alright|deal|clear|all right|agreed)\\?$'],
  refusal: [
    "^(no|nope|nah|never|rather not|please no|please don't|don't|do not|not that|against|veto)",
    "(we can't|we cannot|i won't|we won't|i refuse|i reject|rejected|turned (that |it )?down|not worth it|no way|out of the question|off the table|not acceptable|i don't (like|want))",
  ],
  correction: [
    "^(no|nope|nah|wrong|not quite|correction|i meant?|i was wrong|i misspoke|that's (not|wrong)|that is (not|wrong)|not that|i said|sorry,? (i|it|that|not|the)|oops|my bad|my mistake)",
    '(i meant|i mean|not what i (asked|meant|said|wanted)|i was wrong|i misspoke)',
  ],
  change: [
    '^so',
    "(actually|instead|after all|on second thought|changed (my|our) minds?|change of plans?|rather than|instead of|no longer|any ?more|forget|scratch (that|it|the)|scrap|drop the|never mind|nevermind|go(ing)? back to|back to|revert to|let's make it|make it|make that|switch(ed|ing)? (it |them )?(to|over|back)|change (it|that|this|the|them)|chang\\w+ to|move to|replace|bump|raise|lower|from now on|now (use|it|we)|i (now )?prefer|better (use|to)|rather use|i've decided|we've decided|correction|i meant|i was wrong|update:|took that back|take that back|as of (now|today)|in place of)",
  ],
  lifting: [
    "(you (can|may|could)|you are (allowed|free)|you're (allowed|free)|it's (ok|okay|fine)|it is (ok|okay|fine)|is (ok|okay|fine|allowed) (now|after all|again)|feel free|go ahead|no problem if|allowed (now|again|after all)|after all|no longer (forbidden|frozen|off[ -]limits|needed|required|necessary)|(can|may) (now )?(be|change|use|touch|go)|i don't mind|fine by me|unfrozen|lifted)",
  ],
  dropping: [
    "(forget( about)?|scratch|scrap|drop|cancel|abandon|ditch|never mind|nevermind|no longer|not any ?more|do not|don't|no|without|skip|leave out|remove|get rid of|stop using|instead of|rather than|won't|will not)",
  ],
  going_back: ["(go(ing)? back to|back to|return to|revert to|stay with|stick with|stick to|keep using|switch back to|we're back on|as (it was )?before)"],
  all_of_it: [
    '^(scratch that|scrap that|forget (that|it|what i said)|never ?mind( that)?|ignore (that|my last|what i said)|cancel that|i take that back|i took that back)',
  ],
  deciding: [
    "(decided|decision|we(?:'ll| will) (use|go with|keep)|i(?:'ll| will) use|chose|chosen|went with|go with|going with|settled on|instead of|root cause|turned out|conclusion|trade-?off|let's (use|go|do|keep|stick))",
  ],
  waiting: [
    '(wait(ing|s)? (for|on|until)|until .{1,60} (answers?|confirms?|signs?|replies|decides?|approves?|is back|comes back|says)|blocked (by|on)|pending (approval|review|answer|confirmation)|has to (sign|approve|confirm|decide)|not (ours|mine|yours) to decide|asked .{1,40} (for|about|whether|if)|needs .{1,40} (approval|sign-?off|ok|review))',
  ],
  done: [
    '(done|finished|completed?|fixed|solved|resolved|implemented|all (tests|checks) (pass(ed|ing)?|green|ok)|all green|works now|working now|everything (works|passes)|successfully|shipped|merged|deployed|ready)',
  ],
  small_talk: [
    "^(ok|okay|k|kk|yes|yep|yeah|sure|thanks?( you)?|thx|ty|great|good|nice|cool|perfect|awesome|excellent|go on|go ahead|continue|proceed|next|carry on|keep going|hi|hello|hey|morning|bye|lgtm|sounds good|looks good|got it|alright|right|fine|hm+|let me (look|check|see)|i'll (look|check)|on it|doing it)( \\w+){0,3}[.!]*$",
  ],
  pasted: [
    "(here (is|are|comes?)|here's|below (is|are)|below|following|attached|pasted?|pasting|copied|copy of|this is (the|what|a)|see|from the|as follows|quoting|it says|says|reads|wrote|the (full|whole|original)).{0,60}?(spec\\w*|documents?|docs?|prd|rfc|adr|ticket|issue|design|readme|mail|e-?mail|log|logs|output|requirements?|notes|transcript|minutes|page|article|contract|standard|message|thread|error|trace|stack ?trace|dump|file|text|policy|guidelines?|style guide|brief|report|config|chat|review|letter|manual|proposal|description|story)",
  ],
  rules_wanted: [
    '(spec\\w*|prd|rfc|requirements?|contract|standard|policy|guidelines?|style guide|design|brief|rules|ticket|story|adr|implement|follow|comply|according to|as described|conform)',
  ],
  ...talkInEnglish,
};
