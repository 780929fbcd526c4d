"""Words by what they name, as far as the patterns of suggestions need them."""

KIN = {
    "father": "HAS_FATHER",
    "dad": "HAS_FATHER",
    "mother": "HAS_MOTHER",
    "mom": "HAS_MOTHER",
    "mum": "HAS_MOTHER",
    "grandmother": "HAS_GRANDMOTHER",
    "grandma": "HAS_GRANDMOTHER",
    "grandfather": "HAS_GRANDFATHER",
    "grandpa": "HAS_GRANDFATHER",
    "brother": "HAS_BROTHER",
    "sister": "HAS_SISTER",
    "sibling": "HAS_SIBLING",
    "son": "HAS_SON",
    "daughter": "HAS_DAUGHTER",
    "child": "HAS_CHILD",
    "aunt": "HAS_AUNT",
    "uncle": "HAS_UNCLE",
    "cousin": "HAS_COUSIN",
    "wife": "HAS_WIFE",
    "husband": "HAS_HUSBAND",
    "partner": "HAS_PARTNER",
    "girlfriend": "HAS_PARTNER",
    "boyfriend": "HAS_PARTNER",
    "mentor": "HAS_MENTOR",
    "rival": "HAS_RIVAL",
    "best friend": "HAS_BEST_FRIEND",
}
"""Relatives and friends by the predicate that says who they are."""

MALE = frozenset("father dad grandfather grandpa brother son uncle husband boyfriend".split())
FEMALE = frozenset("mother mom mum grandmother grandma sister daughter aunt wife girlfriend".split())

PETS = frozenset(
    """cat cats dog dogs parrot raven crow hound greyhound greyhounds puppy kitten rabbit ferret horse pony goldfish
    hamster snake lizard gecko tortoise turtle owl falcon hawk rat mouse goat pig fox canary cockatoo terrier
    poodle retriever wolf bear tiger lion donkey mule spider drake collie labrador dachshund corgi wolfhound""".split()
)
PLAYED = frozenset(
    """accordion banjo bass bagpipes cello clarinet cornet drums drum dulcimer fiddle flute guitar harmonica harp
    harpsichord horn keyboard keyboards koto lute lyre mandolin oboe organ percussion piano recorder saxophone
    shamisen sitar trombone trumpet tuba ukulele viola violin zither badminton baseball basketball billiards
    bridge cards checkers chess cricket darts dice dominoes football go golf hockey lacrosse mahjong poker pool
    rugby snooker soccer softball squash tennis volleyball""".split()
)
DIETS = frozenset("vegan vegetarian pescatarian teetotal halal kosher".split())
CONDITIONS = frozenset(
    """anaemic anemic asthmatic autistic blind celiac coeliac colorblind colourblind deaf diabetic dyslexic epileptic
    farsighted immortal infertile insomniac lactose mute narcoleptic nearsighted shortsighted color-blind
    colour-blind half-blind near-sighted short-sighted""".split()
)
TRAITS = frozenset(
    """abrasive absent-minded adventurous affectionate aloof ambitious anxious arrogant articulate assertive astute
    awkward bashful bitter blunt boastful bold bossy brave brash brilliant brooding calculating calm candid
    carefree careful careless cautious charismatic charming chatty cheeky cheerful clever clingy clumsy cocky
    cold-hearted compassionate competitive confident conscientious considerate courageous courteous cowardly
    creative cruel cunning curious cynical daring deceitful decisive dependable determined devious devoted devout
    diligent diplomatic direct disciplined dishonest disorganised disorganized down-to-earth dramatic dreamy
    dutiful eager earnest easygoing eccentric eloquent empathetic energetic enigmatic extroverted fearless feisty
    fierce flamboyant flirtatious flirty forgetful forgiving forthright frank friendly frugal funny generous
    gentle giddy good-natured gregarious gruff gullible hard-working hardworking haughty headstrong helpful honest
    hopeful hot-headed hot-tempered humble idealistic imaginative impatient impulsive independent industrious
    inquisitive insecure insightful intelligent introverted irritable jaded jealous jovial joyful kind
    kind-hearted kindhearted laid-back lazy level-headed literal lively lonely loud loving loyal manipulative
    mature meek melancholic merciful merciless methodical meticulous mischievous modest moody morbid naive nerdy
    noble nosy nurturing obedient observant optimistic opinionated outgoing outspoken overprotective paranoid
    passionate patient perceptive perfectionist persistent pessimistic playful polite pompous possessive practical
    pragmatic precise proper protective proud quick-witted quiet quirky rash rational rebellious reckless
    reclusive refined relentless reliable religious resentful reserved resilient resourceful responsible restless
    romantic rude ruthless sadistic sarcastic sassy scholarly self-assured selfish selfless sensible sensitive
    sentimental serene serious sharp-tongued shrewd shy silly sincere skeptical sceptical sly smart smug sociable
    soft soft-spoken solitary spirited spiteful spoiled spontaneous stern stoic straightforward strict
    strong-willed stubborn studious submissive superstitious suspicious sweet sympathetic tactful taciturn
    talkative temperamental tenacious thoughtful thrifty timid tolerant tomboyish tough trusting trustworthy
    unpredictable untrusting upbeat vain vengeful vindictive vivacious vulgar warm warm-hearted wary wise
    withdrawn witty wry zealous""".split()
)
"""Adjectives that say how somebody is for good: "hungry" and "tall" are none."""
BODY = (
    "eyes|hair|skin|beard|moustache|mustache|freckles|tattoos|horns|wings|fur|tail|ears|build|complexion|hands|scales"
)
NATIONALITIES = frozenset(
    """afghan albanian algerian american argentinian armenian australian austrian bangladeshi belgian bolivian
    brazilian british bulgarian cambodian canadian chilean chinese colombian croatian cuban czech danish dutch
    egyptian english estonian ethiopian filipino finnish french georgian german ghanaian greek haitian hungarian
    icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese jordanian kenyan korean
    latvian lebanese lithuanian malaysian mexican mongolian moroccan nepali nigerian norwegian pakistani
    palestinian peruvian polish portuguese romanian russian scottish senegalese serbian singaporean slovak
    slovenian somali spanish swedish swiss syrian taiwanese thai tunisian turkish ugandan ukrainian vietnamese
    welsh zimbabwean""".split()
)

VAGUE = frozenset(
    """anybody anyone anything apple best bit blessing boon burden centre center change character combination curse
    disaster disgrace dream everybody everyone everything example fact favour favor force friend friends gift
    handful help it joke kind life lot lots matter mess mixture mystery myself name nightmare nobody none nothing
    one pain part people person piece pity place player problem product question reason reflection result riddle
    self shadow shame sight someone something sort star stranger stuff symbol them thing things threat time
    treasure treat type user victim way world wreck you me us her him himself herself yourself itself that this
    these those""".split()
)
"""As the chief word of an object they say nothing."""
NOT_LIVED_IN = frozenset(
    """constant darkness denial dream dreams exile fear harmony hiding hope luxury memory moment obscurity past peace
    poverty present secret shadow shadows shame silence squalor style time world""".split()
)
FATHERS = ("man", "king", "duke", "baron", "lord", "emperor", "prince", "monk", "priest", "father", "count", "sultan")
MOTHERS = ("woman", "queen", "duchess", "baroness", "lady", "empress", "princess", "witch", "mother", "seamstress",
           "priestess", "countess", "midwife")  # fmt: skip
