"""People's names, without a language model: titles, introductions, and known given names before a family name."""

import re
from collections.abc import Iterator

from memories.screening.given_names import GIVEN_NAMES
from memories.screening.rule import Reading, Span

PART = r"[A-ZÀ-ÖØ-ÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮİĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƠƯȘȚА-ЯЁЄІЇҐΑ-Ω][\w'’.-]{0,24}"
PARTICLE = (
    r"(?:de|da|do|dos|das|di|del|della|van|von|der|den|ter|ten|la|le|el|al|bin|ibn|ben|af|av|zu|y|e|st\.|o'|mac|mc)"
)
FULL = rf"{PART}(?:\s(?:{PARTICLE}\s){{0,2}}{PART}){{1,3}}"
ANY = rf"{PART}(?:\s(?:{PARTICLE}\s){{0,2}}{PART}){{0,3}}"
TITLE = r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Madam|Herr|Herrn|Frau|Monsieur|Madame|Mme|Mlle|Señor|Señora|Sr|Sra|Don|Doña|Signor|Signora|señora?|signora?|monsieur|madame|Dott|Dhr|Mevr|Mevrouw|Pan|Pani|Shri|Smt|Sri|Fru)\.?"
# Each pattern is tried only on texts that hold one of its words.
INTRODUCTIONS: tuple[tuple[frozenset[str], "re.Pattern[str]"], ...] = (
    (
        frozenset(
            "mr mrs ms miss mx dr prof professor sir madam herr herrn frau monsieur madame mme mlle señor señora sr sra don doña"
            " signor signora dott dhr mevr mevrouw pan pani shri smt sri fru г-н г-жа".split()
        ),
        re.compile(rf"(?<![\w.]){TITLE}\s(?P<name>{PART})(?![\w(])"),
    ),
    (
        frozenset("name called call nombre llamo nome chiamo appelle heiße heisse heet imię nazywam зовут".split()),
        re.compile(
            rf"(?i:\bmy name is|\bname's|\bi am called|people call me|\bcall me|\bich hei(?:ß|ss)e|\bmein name ist|\bje m'appelle"
            rf"|\bme llamo|\bmi nombre es|\bmi chiamo|\bmeu nome é|\bik heet|\bmijn naam is|\bmam na imię|\bnazywam się|меня зовут)"
            rf"\s(?P<name>{ANY})"
        ),
    ),
    (
        frozenset(
            "reported approved signed requested raised filed confirmed reviewed written assigned handled owned explained escalated"
            " guest passenger attendee candidate applicant nominated signatory kundin kunde contact caller customer he she placed sent taken booked belongs thanks message interview reset called named behalf questions voicemail signed shared found opened closed submitted provided attended mentioned sung played composed directed led caused".split()
        ),
        re.compile(
            rf"(?i:\b(?:reported|approved|signed(?: off)?|requested|raised|filed|confirmed|reviewed|written|assigned|handled|owned|explained"
            rf"|escalated|opened|closed|submitted|provided|attended|mentioned|sung|played|composed|directed|led|caused|placed|sent|taken|booked|found|shared|forwarded) (?:by|to)|\bbelongs? to|\bthanks (?:to|go to)|\b(?:message|mail|letter|call|complaint|note|question|request|voicemail|feedback) from|\binterview with(?: candidate)?|\breset for|\bquestions to|\b(?:he|she|contact|caller|customer|user|colleague|manager|client|owner|driver|guest|boss|signatory|kundin|kunde)(?:'s name)? (?:is|was|hei(?:ß|ss)t)(?: called| named)?|\b(?:guest|passenger|attendee|candidate|applicant):|\b(?:written|nominated|booked) (?:for|by)|\bsigned),?\s"
            rf"(?P<name>{FULL}|{PART},\s{PART})"
        ),
    ),
    (
        frozenset(
            "spoke speak talked talk met meeting meet discussed agreed contact contacted call chat checked worked escalate".split()
        ),
        re.compile(
            rf"(?i:\b(?:spoke|speak|talked|talk|met|meet|meeting|discussed|agreed|contact|contacted|call|chat|checked|worked|escalate)"
            rf"(?: (?:with|to))?)\s(?P<name>{FULL})"
        ),
    ),
    (
        frozenset(
            "ask ping email contact tell cc thank tribute login passport holder customer employee colleague patient user client author"
            " behalf attn care regards sincerely delivered attendees owner assignee reviewer reporter name".split()
        ),
        re.compile(
            rf"(?i:\b(?:ask|ping|e-?mail|contact|tell|cc|thank|tribute to|login of|passport of|holder|customer|employee|colleague|patient"
            rf"|user|client|author|on behalf of|attn:?|care of|regards,?|sincerely,?|attendees:|delivered (?:[a-z]+ ){{0,4}}to|owner|assignee|reviewer|reporter|name):?)\s"
            rf"(?P<name>{FULL})"
        ),
    ),
    (
        frozenset(
            "will would can prefers prefer approved asked asks said says reported complained confirmed requested wants wanted wrote writes explained"
            " mentioned called replied agreed restarted lives joined left keynote owner manager lead contact ceo cto author speaker from"
            " customer owns manages thinks likes told sent signed resigned opened noticed found covers born leave".split()
        ),
        re.compile(
            rf"(?<![\w.])(?P<name>{FULL}),?\s(?:will (?:call|write|come|take|send|pay|join|be|visit|answer|reply)|prefers?|approved|asked|asks|said|says|reported|complained|confirmed|requested|wants|wanted"
            r"|wrote|writes|explained|mentioned|called|replied|agreed|restarted|lives|joined|left|from the|of the customer|owns|manages"
            r"|is (?:on|the (?:keynote|owner|manager|lead|admin|contact|ceo|cto|head|author|speaker))|thinks|likes|told|sent|signed|resigned"
            r"|opened|noticed|found|covers|has (?:asked|been|left|said|approved)|was born|born)\b"
        ),
    ),
)
LONE = re.compile(
    rf"\b(?:[Aa]sk|[Tt]ell|[Pp]ing|[Cc]all|[Tt]hank|[Ee]mail|[Cc]c|[Tt]o|[Ff]rom|[Ww]ith|[Bb]y) (?P<name>{PART})(?=[ ,.;:]|$)"
)
LONE_WORDS = frozenset("ask tell ping call thank email cc".split())
SIGNED_AS = re.compile(r"\b[A-Z]{3,20}/[A-Z]{3,20} (?:MRS?|MS|MISS|MSTR|DR)\b")
CYRILLIC = re.compile(
    r"(?:пользователь|клиент|сотрудник|господин|госпожа|инженер|менеджер|коллега|директор|администратор)\w* (?P<name>[А-ЯЁ][а-яё]{2,20} [А-ЯЁ][а-яё]{2,24})",
    re.I,
)
# The first two, with a title or "my name is", need no family name.
SHORT = 2
TWO_CAPITALS = re.compile(r"[A-Z][\w'’.-]*,?\s(?:[a-z]{1,3}\.?\s){0,2}[A-Z]")
SPEECH_WORDS = frozenset("says said asks asked writes wrote explains adds".split())
SPEECH = re.compile(rf"[\"”»,]\s(?:says|said|asks|asked|writes|wrote|explains|adds)\s(?P<name>{ANY})(?=[.,;]|$)")
MAILED = re.compile(rf"(?P<name>{ANY})\s<[^<>\s]{{3,80}}@")
CJK_NAME = re.compile(
    r"(?:by|to|with|from|of|mr|ms|ask)\s[\u4e00-\u9fff\uac00-\ud7af]{1,4}(?:[,、]?\s?[\u4e00-\u9fff\uac00-\ud7af]{1,3})?(?![\u4e00-\u9fff\uac00-\ud7af])|[\u4e00-\u9fff]{2,4}(?:先生|女士|小姐|さん|様|氏)|[가-힣]{2,4}\s?(?:씨|님)(?![가-힣])|[王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林罗羅高郑鄭][\u4e00-\u9fff]{1,2}(?=报告|報告|说|說|提出|要求|批准|负责|負責|联系|聯繫|发现|發現|告诉|告訴|表示|来电|來電)",
    re.I,
)
PAIR = re.compile(rf"(?<![\w./@-])(?P<given>{PART})\s(?:{PARTICLE}\s){{0,2}}(?P<family>{PART})")
NOT_A_NAME = frozenset(
    """the a an this that these those it we you he she they i my your our his her its their new old all any some each every no not only if when while
    after before since for from with without in on at by to of as and or but so because also django redis celery python kombu rabbitmq postgresql postgres mysql
    sqlite linux windows macos docker kubernetes github gitlab google amazon aws azure microsoft apple oracle java javascript ruby rails sidekiq node react
    worker server client queue task job broker api http https url json xml yaml html css sql orm admin user users customer customers team support engineering
    software foundation labs inc ltd llc gmbh corp corporation company group project service services system systems release version issue ticket bug fix fixed
    feature default error exception warning monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december sprint data database model models view views template templates form forms test tests unit file files class method function
    module package library framework command option setting settings config configuration background noted fact episode note notes root cause security
    open source united states kingdom new york san visual studio code red hat enterprise actions sentinel success desk bot agent assistant manager office black white blue green home page search chat cloud web app mobile site store market board panel dashboard report reports north south east west region island lake mount river street road avenue energy logistics traders business school university institute bank banco industries partners capital holdings insurance airlines air motors controls electric technologies technology tech solutions consulting media studios press quality assurance finance resources sales operations platform infrastructure network power shipping foods telecom mobility pharma health care hotels college academy airport station council ministry department agency federation association union""".split()
)


def name_spans(reading: Reading) -> Iterator[Span]:
    """Spans of what titles, introductions, verbs of people, or a known given name mark as a person's name."""
    text, words = reading.text, reading.words
    if text.isascii() and not any(word[0].isupper() for word in text.split()[1:]) and "." not in text:
        return
    in_full = not text.isascii() or TWO_CAPITALS.search(text) is not None
    for gate, pattern in INTRODUCTIONS if in_full else INTRODUCTIONS[:SHORT]:
        if not gate.isdisjoint(words):
            yield from _people(pattern, text)
    if not SPEECH_WORDS.isdisjoint(words):
        yield from _people(SPEECH, text)
    if "<" in text and "@" in text:
        yield from _people(MAILED, text)
    if not GIVEN_NAMES.isdisjoint(words):
        for match in PAIR.finditer(text):
            if match["given"].lower() in GIVEN_NAMES and match["family"].lower() not in NOT_A_NAME:
                yield match.span()
    if not LONE_WORDS.isdisjoint(words) and not GIVEN_NAMES.isdisjoint(words):
        yield from (match.span("name") for match in LONE.finditer(text) if match["name"].lower() in GIVEN_NAMES)
    if "/" in text:
        yield from (match.span() for match in SIGNED_AS.finditer(text))
    if not text.isascii():
        yield from _people(CYRILLIC, text)
        yield from (match.span() for match in CJK_NAME.finditer(text))


def _people(pattern: "re.Pattern[str]", text: str) -> Iterator[Span]:
    """Matches of `pattern` whose name holds no word of products, teams, months and the like."""
    for match in pattern.finditer(text):
        if NOT_A_NAME.isdisjoint(match["name"].lower().replace(",", "").split()):
            yield match.span("name")
