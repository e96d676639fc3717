"""What tells about a person's life: health, belief, family, whereabouts and profiles. All of it only flags."""

import re
from collections.abc import Iterator

from memories.screening.personal_names import PART
from memories.screening.rule import LEAVE_OUT, Reading, Rule, Span, matches, starting

RELATIVE = re.compile(
    r"\b(?:[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|\w+'s|\w+s') (?:(?:ex|late|eldest|oldest|youngest|older|younger|little|big|twin|best)[ -])?"
    r"(?:daughter|son|wife|husband|partner|mother|father|mom|mum|dad|brother|sister|girlfriend|boyfriend|fianc[ée]e?|child|kid|baby"
    r"|grand(?:mother|father|son|daughter|ma|pa)|aunt|uncle|cousin|niece|nephew|neighbou?r|friend|boss|therapist|doctor|teacher),? "
    rf"(?:is (?:called|named) |named |called )?(?P<name>{PART})"
)


def relative_spans(reading: Reading) -> Iterator[Span]:
    """The names of relatives and friends."""
    return (match.span("name") for match in RELATIVE.finditer(reading.text))


LIFE_RULES: tuple[Rule, ...] = (
    Rule(
        id="personal.health",
        severity="flag",
        sentence=f"This says something about a person's health. {LEAVE_OUT}",
        why="Health is special category data in most laws.",
        good="The health check is sick of nothing and the worker recovered from a crash.",
        bad="The operator was diagnosed with diabetes last spring.",
        check=matches(
            r"\b(?:sick leave|on (?:maternity|paternity|parental|medical) leave|(?:has|have|had|with|diagnosed with|suffers? from|recovering from|treated for) (?:an? )?(?:\w+ ){0,3}(?:cancer|diabetes|depression|flu|covid(?:-19)?|injury|surgery|migraines?|burn-?out|asthma|hiv|epilepsy|stroke|heart (?:attack|disease|condition)|illness|pregnan\w+|anxiety|adhd|autism|dementia|pneumonia|hepatitis|broken (?:leg|arm|wrist))|(?:is|was) (?:pregnant|hospitali[sz]ed|in hospital|chronically ill)|(?:he|she|user|customer|patient|colleague|tester|operator) is disabled|(?:back|knee|shoulder|head) injury|(?:is|was|went|became) (?:deaf|blind|paraly[sz]ed|infertile|bedridden)(?= (?:and|since|on|in|from)\b|[.,;]|$)|(?:is|was|sits|now) in a wheelchair|(?:chemo|radio|psycho)therapy|on dialysis|in rehab|slipped disc|medical (?:record|history|condition|certificate)s?|blood (?:type|pressure))\b",
        ),
        stems=starting(
            "leave cancer diabetes depression flu covid injury surgery migraine migraines burn burnout asthma hiv epilepsy stroke heart illness pregnant pregnancy anxiety "
            "adhd autism dementia pneumonia hepatitis broken hospitalised hospitalized hospital ill disabled medical blood deaf blind paralysed paralyzed infertile bedridden wheelchair chemotherapy radiotherapy psychotherapy dialysis rehab disc"
        ),
    ),
    Rule(
        id="personal.finances",
        severity="flag",
        sentence=f"This says what somebody earns, owns or owes. {LEAVE_OUT}",
        why="Pay and debts are confidential nearly everywhere.",
        good="The plan costs 54,000 EUR a year, and the job earns 3 points.",
        bad="The tester's salary is 61,000 euros.",
        check=matches(
            r"\b(?:salary|wages?|earns?|paycheck|take-home pay|annual income|net worth|owes?|in debt)\b[^.!?\n]{0,30}?(?:[$€£¥]\s?\d|\b\d[\d.,]*\s?(?:eur|usd|gbp|chf|k|euros?|dollars?|pounds?|francs?)\b|\b\d[\d.,]{2,}\s(?:a|per|an) (?:month|year|hour|week|annum)\b)"
        ),
        stems=starting("salary wage wages earn earns paycheck pay income worth owe owes debt"),
    ),
    Rule(
        id="personal.belief",
        severity="flag",
        sentence=f"This says what a person believes, whom they love or which party or union they belong to. {LEAVE_OUT}",
        why="Belief, orientation, party and union are special category data in most laws.",
        good="The parser is a member of the labour-saving tools, and the union of both sets is sorted.",
        bad="The requester is a practising Catholic.",
        check=matches(
            r"\b(?:is|was|as|becomes?|became|identif(?:y|ies) as) (?:an? )?(?:devout |practi[sc]ing |openly |proud |registered |former |orthodox )*(?:muslim|christian|jewish|hindu|buddhist|sikh|catholic|protestant|mormon|atheist|gay|lesbian|bisexual|transgender|non-binary|republican|democrat|socialist|communist|conservative party|green party)\b(?! (?:calendar|holidays?|numerals?|font))",
            r"\b(?:member of|votes? for|voted for|joined|belongs to|activist (?:in|of)|donates? to) (?:the |an? )?(?:\w+ ){0,2}(?:party|trade union|labou?r union|church|mosque|synagogue|temple|congregation)\b",
        ),
        stems=starting(
            "muslim christian jewish hindu buddhist sikh catholic protestant mormon atheist gay lesbian bisexual transgender binary republican "
            "democrat socialist communist party union church mosque synagogue temple congregation"
        ),
    ),
    Rule(
        id="personal.relative",
        severity="flag",
        sentence=f"This seems to name somebody's relative or friend. {LEAVE_OUT}",
        why="Who belongs to whom is nobody else's business, and those named were never asked.",
        good="The node's parent and its child Process are restarted together.",
        bad="The traveller's daughter Ines comes along.",
        check=relative_spans,
        stems=starting(
            "daughter son wife husband partner mother father mom mum dad brother sister girlfriend boyfriend fiance fiancé fiancée child kid baby "
            "grandmother aunt uncle cousin niece nephew neighbor neighbour friend boss therapist doctor teacher"
        ),
    ),
    Rule(
        id="personal.coordinates",
        severity="flag",
        sentence=f"This carries exact coordinates, which may lead to a door. {LEAVE_OUT}",
        why="Four decimals of a degree are ten metres.",
        good="The weights are 0.5200 and 13.405, and latitude is a float.",
        bad="The depot's GPS position is 52.52001, 13.40495.",
        check=matches(
            r"\b(?:gps|coordinates?|coords?|lat(?:itude)?|position|located|location|geo\w*)\b[^.!?\n]{0,40}-?\b\d{1,2}\.\d{4,}°?\s*[ns]?\s*[,;/ ]\s*(?:lon\w*:?\s*)?-?\d{1,3}\.\d{4,}"
        ),
        stems=starting(
            "gps coordinate coordinates coord coords lat latitude position located location geo geolocation"
        ),
    ),
    Rule(
        id="personal.profile",
        severity="flag",
        sentence=f"This carries a link to a person's own page or chat. {LEAVE_OUT}",
        why="A handle reaches a person like a phone number does.",
        good="The announcement is on linkedin.com/company/orbit.",
        bad="The tester answers at t.me/orbit_tester_9.",
        check=matches(
            r"\b(?:telegram|instagram|insta|twitter|tiktok|snapchat|mastodon|threads|bluesky)\b(?: (?:handle|user(?: ?name)?|account|name|id))?(?: is|:| -)? @?(?<=@)[\w.]{3,}",
            r"\bdiscord\b(?: (?:tag|id|user(?: ?name)?|name|handle))?(?: is|:)? [\w.]{2,32}#\d{4}\b",
            r"\b(?:skype|signal|wechat|whatsapp|telegram|kik|viber)(?: (?:id|name|user(?: ?name)?|handle))(?: is|:)? [\w.:-]{4,}",
            r"\bskype(?: is|:)? live:[\w.]{3,}",
            r"\b(?:t\.me|wa\.me|m\.me|linkedin\.com/in|instagram\.com|facebook\.com/(?:profile\.php)?|snapchat\.com/add|tiktok\.com/@)/?[\w.@?=-]{3,}",
        ),
        stems=starting(
            "t wa m linkedin instagram insta facebook snapchat tiktok telegram twitter mastodon threads bluesky discord skype signal wechat whatsapp kik viber"
        ),
    ),
)
