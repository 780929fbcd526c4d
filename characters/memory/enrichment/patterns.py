"""Words that show a class of relation: each pattern is searched in a message in lower case, with straight quotes."""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


ROLE = _any(
    r"\bin the (?:style|voice|manner|persona|character) of\b",
    r"\b(?:you|you'll|you are to) (?:will )?(?:play|act as|be playing|take the part)\b",
    r"\b(?:act|behave|speak|talk|respond|answer|reply) (?:to me )?(?:as|like) (?:if|though) you(?:'re| are|"
    r" were)\b",
    r"\b(?:let's|let us|we) (?:roleplay|role-play)\b|^(?:roleplay|role-play|role play)\b",
    r"\b(?:become|transform into|turn into|stay in character|in character as|take over as)\b",
    r"\byour (?:new )?(?:role|name|job|part|character|persona) (?:is|will be|today)\b",
    r"\b(?:i'd like|i want|i need|let|have) you (?:to )?(?:be|as|play|act)\b",
    r"\bfor (?:this|the next|today)[\w ]*,? you(?:'re| are| will be)\b",
    r"^(?:interview|quiz|coach|examine|cross-examine|train|haggle with|debate) me\b",
    r"\b(?:act|behave|speak|talk|respond|answer|reply|write|roleplay|role-play|pose|perform)(?: to me| with me)? "
    r"(?:as|like)(?: if you were)? (?:an?|the|my|if you)\b",
    r"\bpretend (?:to be|you're|you are|that you)",
    r"\bplay (?:the (?:part|role) of|the |my |an? )",
    r"\b(?:take|taking) (?:on )?the (?:role|part|persona)",
    r"\b(?:put on the hat|step into the (?:role|shoes)|in the role) of",
    r"\bimpersonate\b",
    r"\bi(?:'d like| want| need) you to (?:be|act|play|become)\b",
    r"\b(?:imagine|suppose|assume) (?:that )?you(?:'re| are) (?:an?|my|the)\b",
    r"^(?:please |now |then |so )?be (?:my|an?|the)\b",
)
YOU_ARE = re.compile(
    r"\b(?:you're|you are|you'll be|you will be)(?: now| going to be)? (?:an?|my|the|captain|sir|dr)\b"
)
SELF_ACTING = re.compile(r"\b(?:i|we|he|she|they) (?:can |could |will |often |always )?(?:act|play|behave|speak|talk)")
WHEN_YOU = re.compile(r"\b(?:when|whenever|while|because|if) you\b")

STANDING = _any(
    r"\b(?:remember|make sure|be sure) to\b",
    r"\b(?:call|address) me\b",
    r"\b(?:generally|by default|at all times|each time|any time|anytime|permanently|until i say|"
    r"unless i (?:ask|say))\b",
    r"\bwith me\b",
    r"\bbefore (?:you )?(?:answer|reply|respond|giv)\w*\b",
    r"\b(?:when|while|after|before|whenever) you (?:answer|reply|respond|explain|write|tell|talk|suggest)\b",
    r"\b(?:short|brief|long|detailed|plain|simple|formal|direct|honest|blunt) (?:answers|replies|responses|"
    r"sentences|language|tone)\b",
    r"\b(?:metric|imperial|celsius|fahrenheit|british|american) (?:units|spelling|english|system)?\b",
    r"\bfrom (?:now|here) on\b",
    r"\bgoing forward\b",
    r"\bin (?:the )?future\b",
    r"\b(?:always|never|ever)\b",
    r"\bevery (?:time|answer|reply|fact|message|response|single)\b",
    r"\beach (?:answer|reply|response|message|time)\b",
    r"\ball (?:of )?(?:your |our |the |my |future )?(?:answers|replies|responses|conversations|chats|messages)\b",
    r"\b(?:any|none) of your (?:answers|replies|responses)\b",
    r"\b(?:everything|anything) you (?:write|say|tell|send)\b",
    r"\bas a (?:general )?rule\b",
    r"\b(?:when|whenever|if) (?:i|we) (?:ask|write|say|tell|send)\b",
    r"\b(?:your|our) (?:answers|replies|responses|chats|conversations|messages)\b",
    r"\bonly (?:reply|answer|respond|speak|use|write)\b",
    r"\b(?:with|to) me\b.*\b(?:always|again)\b",
)
MANNERS = _any(
    r"^(?:no|skip|drop|cut|spare me|leave out|less|fewer|without)(?: the| any| all)? [\w ]*(?:emojis?|"
    r"intro\w*|preambles?|"
    r"pleasantries|formalities|small talk|jargon|disclaimers?|warnings?|compliments?|flattery|jokes|fluff|"
    r"apologies|"
    r"lectures?|bullet points|exclamation marks)\b",
    r"^(?:answer|reply|respond|speak|talk|write)(?: to me)?(?: only)? (?:in|with|using|briefly|honestly|"
    r"directly|shortly)\b",
    r"^(?:be|stay|sound) (?:more |less |very |completely )?(?:brief|short|concise|honest|direct|blunt|"
    r"polite|formal|informal|"
    r"casual|critical|strict|patient|gentle|neutral|objective|serious|funny|kind|friendly|sceptical|"
    r"skeptical|clear)\b",
    r"^(?:ask|tell|warn|correct|remind|challenge|contradict|interrupt|criticise|criticize) me\b.*\b(?:if|"
    r"when|whenever|before|"
    r"first|instead)\b",
    r"\b(?:treat|talk to|speak to) me (?:as|like) (?:an?|i)\b",
    r"\bassume (?:that )?i(?:'m| am| know| have| don't)\b",
    r"\b(?:don't|do not|stop|never|avoid|no) .*\b(?:apologi[sz]\w*|emojis?|bullet points?|sugar-?coat\w*|jargon|"
    r"lectur\w*|disclaimers?|compliments?|flatter\w*|exclamation marks?|hashtags?|filler)\b",
    r"^(?:don't|do not|stop) (?:\w+ )?(?:saying|telling|calling|repeating|asking|using|starting|ending)\b",
)

CORRECTING = _any(
    r"\bi mean[,t]?\b(?! it\b)",
    r"\b(?:to clarify|let me clarify|clarification|i should clarify|let me (?:correct|explain|restate|put|"
    r"try|start)|put "
    r"(?:it )?(?:differently|another way)|restate|reword(?:ing)?)\b",
    r"\b(?:i|that) was (?:unclear|imprecise|ambiguous|not clear|badly)\b",
    r"\b(?:got|had|wrote|spelled|spelt|typed|remembered|mixed) .{1,30}\b(?:wrong|up|incorrectly)\b",
    r"^(?:oh |oops|wait|no no|nope|no|sorry|hmm|ah|edit|argh)\b[,.:! ].*\b(?:it's|it is|it was|was|were|i'm|"
    r"he's|she's|they're|"
    r"actually|rather|not)\b",
    r"\b(?:it's|it is|it was|that's|he's|she's) actually\b|\bactually,? (?:it|that|he|she|they)(?:'s|'re|"
    r" is| was| were| are)\b",
    r"\bmake that\b",
    r"\bor rather\b",
    r"\bthat (?:was|is|isn't|wasn't) (?:wrong|incorrect|inaccurate|right|correct|true|what i)\b",
    r"\bwhat i'm (?:really |actually )?(?:asking|after|trying)\b",
    r"\bnot .{1,40}\. (?:it's|it was|i)\b",
    r"\b(?:strike|ignore|disregard) (?:that|my last|what i)\b",
    r"\bi (?:actually |really |just )?meant\b",
    r"\bwhat i (?:actually |really )?(?:mean|meant|need|wanted|asked)\b",
    r"\bshould(?: have|'ve) (?:said|written|been|asked)\b",
    r"\brephrase\b",
    r"\b(?:you )?(?:misunderstood|misunderstand|misread|got (?:me|that|it) wrong)\b",
    r"\b(?:came out|said (?:it|that)|put (?:it|that)) (?:wrong|badly)\b",
    r"\bworded\b",
    r"\b(?:typo|autocorrect|correction|misspoke|mistyped|slip of)\b",
    r"\bmy mistake\b",
    r"\bi was (?:wrong|mistaken)\b(?! about (?:him|her|them))",
    r"^\*\w",
    r"^(?:no|sorry|oops|wait)\b[,.!]? .*\bnot\b",
    r"\b(?:that's|that is|this is|it's) not what i\b",
    r"\bi(?:'m| am| was) (?:talking|asking) about\b",
    r"\bto be (?:clear|precise|exact)\b",
    r"\bin other words\b",
    r"\bnot (?:the )?\w+[,.;:]? (?:but|it's|i mean)\b",
)
COMPLAINT = re.compile(
    r"\b(?:your|that|the last|this) (?:\w+ )?(?:answer|reply|response|summary|translation|text|explanation|"
    r"poem|story|"
    r"email|letter|list|plan|tone|version|recipe|suggestion)\b.*\b(?:was|is|used|sounded|sounds|were|are|"
    r"came|has|had|"
    r"feels|felt|missed|contains|reads)\b"
)

CONTRASTING = _any(
    r"\bnot .*\b(?:any longer|anymore)\b|\bn't\b.*\bany longer\b",
    r"\b(?:i|we)(?:'ve| have|'m| am)? (?:quit|stopped|dropped|ditched|cancelled|canceled|abandoned|dumped|"
    r"sold|withdrew|"
    r"backed out|pulled out|bailed|gone off|going off|through with|over it)\b",
    r"\b(?:turns|turned) out\b.*\b(?:not|n't|hate|love|wrong|actually|rather|quite)\b",
    r"\bi (?:was|used to be|used to)\b.*\bbut (?:now|today|these days)\b",
    r"\bi used to\b",
    r"\b(?:the opposite|quite the contrary|on the contrary|contrary to what)\b",
    r"\b(?:cancel|drop|skip|never mind|nevermind) (?:the|that|my|it|this)\b",
    r"\b(?:decided|deciding|choosing|chose|going) (?:against|not to)\b",
    r"\b(?:instead of|rather than) (?:the|that|going|what)\b",
    r"\b(?:has|have|had) (?:grown|won|warmed|turned) (?:on|me|up|over|to|against)\b|\b(?:grew|won me|"
    r"warmed) (?:on|over|to|up)\b",
    r"\bmaybe (?:it|he|she|they|that)(?:'s|'re| is| are| isn't| wasn't)\b.*\b(?:not|n't|so|after all)\b",
    r"\b(?:sick|tired|fed up) (?:of|with)\b",
    r"\bcan't (?:bear|stand) (?:the|it|him|her|them|my|this)\b",
    r"\bchang(?:ed|ing) (?:my|our) minds?\b",
    r"\b(?:take|took|taking) (?:it |that |this )?back\b",
    r"\bno longer\b",
    r"(?:\bnot\b|n't\b|\bnever\b).*\bany ?more\b",
    r"\bscratch that\b",
    r"\b(?:forget|never ?mind) (?:about )?(?:the|that|it|my|what)\b",
    r"\bon second thoughts?\b",
    r"\bcall(?:ed|ing)? .*\boff\b",
    r"\b(?:gave|given|giving) up on\b",
    r"\b(?:i'm|i am|we're) (?:so )?(?:done|finished|over|through) with\b",
    r"\bhave to admit\b",
    r"\bnot .*\bafter all\b",
    r"\bafter all\b.*\bnot\b",
    r"\bi (?:now|actually) (?:hate|love|think|prefer|believe)\b",
    r"\bi(?:'ve| have) come (?:round|around) to\b",
    r"\b(?:isn't|wasn't|not) for me\b",
    r"\bi can't (?:bear|stand|take) (?:it|this|him|her|them)\b",
    r"\bi regret\b",
)
GOOD = re.compile(
    r"\b(?:love[sd]?|loving|like[sd]?|enjoy\w*|adore\w*|best|brilliant|great|wonderful|amazing|fantastic|"
    r"perfect|happy|"
    r"fan of|trust|excited|favou?rite|want|going to|can't wait|proud|delicious|fun|beautiful|good|better|thrilled|"
    r"make sense|recommend|always)\b"
)
BAD = re.compile(
    r"\b(?:hate[sd]?|dislike\w*|awful|terrible|horrible|worst|worse|bad|boring|bores?|bored|miserable|nightmare|"
    r"pointless|useless|never|regret\w*|disappoint\w*|sick of|tired of|fed up|done with|can't stand|can't bear|"
    r"walked out|quit|cancelled|canceled|don't|doesn't|won't|isn't|wasn't|overrated|annoy\w*|unbearable|waste|"
    r"couldn't|gave up)\b"
)

LOOKING_BACK = _any(
    r"\bi(?:'ve| have|'d| had)? (?:just |finally |really |actually |only )?(?:tried|followed|took|taken|"
    r"used|applied|managed|"
    r"failed|promised|forgot|forgotten|ignored|given up|gave in|gave it|slipped|relapsed|overreacted|exaggerated|"
    r"procrastinat\w+|complained?|rambl\w+|lied|contradict\w+|caught myself|found myself|proved|"
    r"surprised myself)\b",
    r"\b(?:it|that|this) (?:worked|helped|was (?:silly|dumb|stupid|rude|unfair|harsh|mean|wrong|foolish|"
    r"brave) of me)\b",
    r"\b(?:thanks|thank you)\b.*\bi(?:'ll| will|'ve| did| tried| have)\b",
    r"\bi(?:'m| am) (?:doing it again|still (?:not|doing|at)|back (?:to|at)|proud|ashamed|embarrassed|"
    r"surprised|guilty|aware|"
    r"starting to|repeating|contradicting|being)\b",
    r"\b(?:why do|how come) i (?:always|never|keep)\b",
    r"\bi (?:still )?haven't\b",
    r"\b(?:again|as usual|as always|like always|every single time)\b.*\b(?:i|me)\b.*[.!]$",
    r"\bi (?:was|had been|must have been|must have) (?:\w+ )?(?:rude|unfair|harsh|lying|exaggerating|wrong|"
    r"silly|stubborn|"
    r"naive|dramatic|angry|mean|sounded|seemed|honest)\b",
    r"\b(?:my|that) (?:question|message|remark|comment|request|tone|reaction|resolution|promise|goal|plan|"
    r"habit|excuse)s?\b"
    r".*\b(?:was|were|sounds?|sounded|seems?|lasted|failed|worked|went|is|are)\b",
    r"\bi(?:'ve| have) (?:been )?(?:thinking|thought|talked|asked|written|told|changed|noticed|learned|"
    r"learnt|grown)\b",
    r"\bi (?:talk|ask|write|worry|complain|think) (?:\w+ )?(?:too much|too often|so much|a lot)\b",
    r"\b(?:as|like|what) i (?:said|told|mentioned|promised|wrote|planned)\b",
    r"\bwhen i (?:said|told|asked|wrote)\b",
    r"\bi (?:said|told you|asked you)\b.*\b(?:i|it|that)\b",
    r"\bsince i (?:told|said|asked|wrote|started)\b",
    r"\b(?:re)?reading (?:that|my|this|it|back)\b",
    r"\blooking back\b",
    r"\bmy (?:last|previous|earlier|own|first) (?:message|question|words|advice|plan|text)\b",
    r"\bi keep \w+ing\b",
    r"\bso much for\b",
    r"\bupdate on\b",
    r"\bi (?:always|usually|never) (?:do|did)\b",
    r"\bi do (?:this|that|it) (?:every|all|each)\b",
    r"\bi (?:can't|cannot) believe (?:that )?i\b",
    r"\bi (?:sound|sounded|realis\w+|realiz\w+|notice\w*)\b",
    r"\bhow i (?:reacted|behaved|acted|spoke|sounded|said)\b",
    r"\b(?:your|the) (?:advice|suggestion|suggestions|tip|tips)\b",
    r"\byou (?:suggested|recommended|advised|told me|gave me)\b",
    r"\bi(?:'ll| will) (?:try|give) (?:it|that|this)\b",
    r"\bi(?:'ve| have)? (?:stuck (?:with|to)|followed|kept (?:at|to)|managed|failed|tried|lasted)\b",
    r"\bi(?:'ve| have)n't \w+ (?:a|an|any|it|that|once|one)\b",
    r"\bi did (?:it|that|what)\b",
    r"\b(?:lost|broke) my (?:temper|promise|streak)\b",
)
SWITCHING = _any(
    r"\b(?:random|quick|different|separate|next|other|one more|another) (?:question|thing|request|subject|"
    r"topic|thought)\b",
    r"^(?:next|new|different|other) ?(?:topic|subject|question|thing|task|up)?[:.,]",
    r"\b(?:forget|leave|drop|park|put) (?:all )?(?:that|this|it|about that) (?:aside|for now|for later|"
    r"for a (?:moment|second|while))\b",
    r"\b(?:completely|totally|entirely|something) (?:else|different|unrelated|other)\b",
    r"\b(?:before i forget|while i'm here|while you're here|while we're at it|that reminds me|"
    r"speaking of something|on a "
    r"(?:lighter|brighter|different|side) note|let's move on|let's switch|let's change|can we (?:talk|"
    r"switch|change|move))\b",
    r"^(?:that's|that is) (?:enough|all|it|settled|done)\b.*[.!] \w",
    r"\bby the way\b",
    r"\bbtw\b",
    r"^(?:ok |okay |right |well )?anyways?\b",
    r"\b(?:another|different|new|other) (?:subject|topic|question|matter|task)\b",
    r"\bsomething (?:else|different|new|totally|completely|entirely)\b",
    r"\bchang(?:e|ing) (?:of |the )?(?:subject|topic)\b",
    r"^(?:ok |okay |right |well |so )?(?:now )?(?:on|moving on|back) to (?:my|the|something)\b",
    r"^(?:right|ok|okay|well),? (?:on|now) to\b",
    r"\bmoving on\b",
    r"^enough (?:of |about |with )?[\w' ]+[.!,]",
    r"\bswitch(?:ing)? (?:gears|topics?|subjects?)\b",
    r"\b(?:unrelated|off.topic|on another note|on a different note|leaving that aside)\b",
    r"\blet's (?:talk|speak|chat) about\b",
)
TURNING = re.compile(r"^(?:ok |okay |right |well )?(?:now|next|actually),? ")
SCENE = _any(
    r"\b(?:say|pretend|consider|think of|envision|visualise|visualize) (?:that |a |an |we |there |the )",
    r"\bwhat if\b",
    r"\b(?:i'm|i am|we're|we are) (?:writing|running|building|designing|creating|inventing|playing|"
    r"working on) (?:a|an|the|my|our)\b"
    r".*\b(?:world|story|novel|campaign|game|setting|book|play|film|series|universe|character|scene|comic|"
    r"adventure|script)\b",
    r"\b(?:scene|scenario|setting|premise|backstory|world|situation|story so far|plot|prompt|background|"
    r"characters?) ?:",
    r"\bin a (?:world|land|city|town|future|place|time|universe|village|country) (?:where|in which|without|"
    r"that|with)\b",
    r"\bthere(?:'s| is| was| lives| lived) (?:a|an) .*\b(?:who|that|where|which)\b.*[.]?$",
    r"\b(?:it's|it is) (?:the year )?(?:1\d{3}|2[01]\d\d)\b",
    r"\bhere(?:'s| is) (?:my|the|a|our) .*\b(?:world|setting|story|scenario|scene|premise|situation|idea|"
    r"universe|background)\b",
    r"\b(?:imagine|picture|suppose|assume|let's (?:say|pretend|imagine|set up|assume))\b",
    r"\b(?:is|are|takes place|plays|be) set (?:in|on|at)\b",
    r"\bset in (?:a|an|the)\b",
    r"\b(?:the|here's the) (?:\w+[- ]){0,2}(?:setting|scene|scenario|premise|backdrop)\b",
    r"\b(?:my|here's my|here is my) (?:\w+[- ]){0,3}(?:setting|scene|scenario|world|universe|premise)\b",
    r"\bthe year is\b",
    r"\bonce upon a time\b",
    r"\b(?:context|background|situation) for (?:what follows|this|the)\b",
    r"\bin (?:my|this|our) (?:novel|story|world|universe|campaign|game|kingdom|film|play|comic)\b",
    r"\bmy (?:novel|story|campaign|screenplay|comic|d&d|fantasy|sci-fi)\b",
)
FICTION = re.compile(
    r"\b(?:kingdom|spaceships?|starships?|dragons?|wizards?|galaxy|aliens?|knights?|castles?|elves|elf|"
    r"orcs?|robots?|"
    r"vampires?|zombies?|planets?|sorcer\w+|magic\w*|witch\w*|ghosts?|post-apocalyptic|dystopi\w+|realm|"
    r"quest|empire|"
    r"pirates?|mermaids?|detective|murder mystery|treasure|throne|prophecy|colony|androids?|werewol\w+|hero|"
    r"villain)\b"
)
FOLLOWING_FROM = _any(
    r"\b(?:which|that|this|it) (?:made|makes|forced|got|led|pushed|inspired|convinced|meant|means|caused|"
    r"left) (?:me|us|to|that)\b",
    r"\bfor that reason\b|\bhence\b|\bconsequently\b|\bin response\b|\bnow (?:i|we) (?:have to|need to|must|"
    r"can't|can)\b",
    r"\b(?:i|we)(?:'m| am|'re| are)? (?:\w+ )?(?:now|finally) (?:have|had|need|got|signed|looking|moving|able)\b",
    r"\bbecause of (?:that|this|it)\b",
    r"\bthat's (?:why|the reason)\b",
    r"\bwhich is why\b",
    r"\b(?:after|thanks to|due to|given) (?:that|this)\b",
    r"\bas a (?:result|consequence)\b",
    r"\btherefore\b",
    r"\bended up\b",
    r"^so (?:i|we|now)\b",
    r"\b(?:i|we)(?:'ve| have)? (?:had to|decided)\b",
    r"\bmight as well\b",
    r"\bsince then\b",
)
DETAILING = _any(
    r"^(?:especially|particularly|mostly|mainly|specifically|namely|more (?:precisely|specifically|exactly)|"
    r"for example|"
    r"for instance|the details|in detail|to add|in particular|above all|among)\b",
    r"^the (?:best|worst|nicest|funniest|main|first|hardest) (?:part|thing|bit)\b",
    r"^(?:her|his|its|their) name\b",
)
IDENTITY = _any(
    r"^(?:honestly,? |actually,? |well,? )?i(?:'m| am) \w+(?:,| and|\.|$)",
    r"\bi(?:'ve| have) (?:got )?(?:a|an|been|two|three|four|no) [\w -]*\b(?:years?|all my life|child|"
    r"children|kids|sense|fear|"
    r"weakness|temper|memory|allergy|degree|background|condition|adhd|autism|dyslexia|anxiety|since)\b",
    r"\bi (?:love|hate|like|dislike|enjoy|adore|need|want|wish|fear|dread|crave|cherish|miss|treasure|"
    r"respect|admire|trust)\b"
    r"(?!.*\b(?:you|your|it|that|this|them)\b)",
    r"\bi (?:feel|get|become|grow) (?:\w+ )?(?:when|if|around|in|whenever|about|at|calm|happy|sad|anxious|"
    r"lonely|alive|guilty)\b",
    r"\bi (?:never|always|usually|often|rarely|hardly|mostly|don't) (?:eat|drink|cry|feel|want|like|believe|"
    r"trust|care|say|"
    r"go|finish|give|forget|read|think|laugh|sing|dance|lie|argue|get|have|do|need|take|keep)\b",
    r"\bi was (?:born|raised|brought up|adopted)\b",
    r"\b(?:by (?:trade|profession|nature|training|birth)|at heart|as a person|for a living|in my (?:spare|"
    r"free) time)\b",
    r"\bwhat (?:matters|scares|drives|moves|makes) (?:most )?(?:to )?me\b",
    r"\bnothing (?:makes|scares|calms|matters)\b",
    r"\bi(?:'d| would) (?:rather|love to|describe myself|call myself|never)\b",
    r"\bi want to (?:be|become|learn|live|see|write|have|travel|own|retire)\b",
    r"\bi(?:'m| am) (?:an?|the (?:kind|type|sort)|someone|somebody|one of|from|into|proud|\d+|not an?|very|"
    r"quite|really|"
    r"rather|pretty|more of|basically|originally|allergic|vegan|vegetarian|gay|lesbian|queer|bisexual|"
    r"autistic|jewish|"
    r"muslim|catholic|atheist|deaf|blind|left-handed|colou?r-?blind|afraid|scared|terrified|shy|passionate)\b",
    r"\bi(?:'ve| have) (?:always|never) (?:been|loved|wanted|felt|had|liked|hated|dreamt|dreamed)\b",
    r"\bi (?:dream of|dream about|believe in|prefer|value|identify|consider myself|tend to|live for|work as|"
    r"grew up|"
    r"hope to|long to|care (?:a lot |deeply )?about|feel (?:most|at home|like)|enjoy|adore|can't lie|suffer from|"
    r"speak \w+|collect|come from|get nervous|struggle with)\b",
    r"\bi (?:love|hate|like|dislike) (?:\w+ing|the|to|my|being|when|people|silence|order)\b",
    r"\bmy (?:\w+ )?(?:goal|dream|fear|passion|hobby|hobbies|favou?rite|faith|pronouns|personality|motto|weakness|"
    r"strength|ambition|values|religion|biggest|greatest)\b",
    r"\bas an? [\w ]{3,30},? i\b",
    r"\b(?:people|friends|everyone) (?:say|tell me|call me|describe me)\b",
    r"\bdeep down\b",
)
GOING_ON = _any(
    r"^(?:ok(?:ay)?|thanks|great|nice|good|cool|perfect|hm+)[,.!]? (?:and|now|but|then|so|what|how|which|"
    r"can|could|add|make)\b",
    r"^(?:but|so|or) (?:what|how|why|when|where|which|who|does|do|is|are|can|could|if|would)\b",
    r"\b(?:more|further|next|the rest|part two|step two|elaborate|expand|the second|the third|the first|"
    r"the last) ?\b.*\b(?:one|ones|"
    r"please|detail|details|idea|ideas|example|examples|step|point|option|paragraph)\b",
    r"^(?:translate|turn|convert|rewrite|shorten|summari[sz]e|change|replace|remove|expand|format|sort|put|"
    r"give me) (?:it|that|"
    r"this|them|those|the (?:last|first|second|third|same|whole|list|text|recipe|plan|email|letter|poem))\b",
    r"^(?:and|what about|how about|still|more|another|again|also|plus|then|make it|make that|shorter|longer|"
    r"continue|"
    r"go on|add|which (?:one|of)|what if|why not|so what|now (?:explain|which|make|do|add|the same|with)|same)\b",
    r"\b(?:try again|in (?:\w+ )?(?:bullet points|steps|detail)|an example|examples|the same|instead|a bit|shorter|"
    r"longer|simpler|rewrite|reword)\b",
)
POINTS = re.compile(r"\b(?:it|them|those|these|of the (?:two|three|four)|which one)\b")
