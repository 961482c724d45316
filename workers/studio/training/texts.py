"""Sentences for synthesizers: random words, rich in sounds that lips show. Never those of the development set."""

SMALL = "the a of and to in is that it for with on as at by from or my your we they you he she his her not but so what when who how".split()

# Contains every sound, with more p b m f v than natural speech.
ENGLISH = """about above across afraid after again album almost alone amber among amuse angry animal apple april arm arrive autumn awake
baby back bag bake balance ball bamboo banana band bank bark barn basket bath beach beam bean bear beautiful become bed bee before begin behave belief bell
below bench bend berry best better between beyond bicycle big bird birthday bitter black blade blame blanket blow blue board boat body boil bold bone book boom
boot border borrow both bottle bottom bounce bowl box boy branch brave bread break breath breeze brick bridge brief bright bring broad broken brother brown
brush bubble bucket build bump burn bus busy butter button buy cabin cable cake calm camera camp can candle capital captain car careful carpet carry castle cave
chalk chamber champion chance change charm cheap cheese cherry child chimney choice church circle city clap claim clay clean clever climb clip clock cloth
cloud club coal coffee coin cold comb come comfort common company compare cook cool copper cosy couple cover cow cream creep crime crisp crop crowd crown cube
cup curve dance dark day deaf deep deliver dive doctor dog dollar double down dozen dream drop drum dry dull dump dwarf eager early earth easy edge eight elbow
eleven empty engine enough equal evening ever every evil exam example face factor fade fail fair faith fall false fame family famous far farm fashion fast
father favour fear feather february feed feel fellow fence fever few fibre field fifteen fifty fight figure fill film filter final find fine finger fire firm
first fish five flag flame flat flavour fleet flight float floor flour flow flower fly focus fog fold follow food fool foot force forest forget fork form forty
forward four fox frame free fresh friend frog front frost fruit full funny further future game garden gave general gentle ghost give glad glass glove go goal
gold golf good goose grab grape grass gravel great green group grow guess guitar gulf gum half hall hammer hand happy harbour hat have heart heaven heavy help
hobby home honey hope horse hotel hour house huge human humble hundred hungry hurry husband ice improve inform invent invite iron island jam jacket job join
joke judge july jumble jump june jungle keep kettle key king kitchen knife lamb lamp land large laugh lava law lazy leaf leap learn leather leave left leg lemon
level library life lift light limb limp lion lip list live loaf lobby long loop love low lump machine magic main make mammal man many map marble march mark market
match mathematics matter maybe meadow meal measure meat member memory menu message metal middle mighty mile milk mill million mind mirror miss mix mobile model
modern moment monday money monkey month moon moral more morning mother motor mountain mouse mouth move movie much mud mumble muscle museum music my myth
name narrow nature naval near neighbour nerve never new night nimble nine noise north nose nothing november number oak obey object observe ocean offer office
often oil omit once onion open opera oven over owl own page pain paint pair palace pale palm panel paper parade pardon park part pass past path pause pay pea
peach pebble pen pencil people pepper perfect period permit phone photo piano picnic picture piece pig pile pilot pink pipe pirate pitch place plain plan plant
plate play please plenty plum pocket poem point polish pony pool poor pop popcorn portrait possible potato pound power practise prefer prepare present press
pretty prince prison prize problem promise proof proud prove public pull pump pupil puppy purple push puzzle queen quick quiet rabbit rain ramp rapid rather
raven ready reason red remember remove repair reply rescue reveal ribbon rice rich ride ring river road robin rock roof room root rope rough round rubber ruby
run rush sail salmon sample sand save scarf school science scope sea search seven shadow shape share sharp sheep shelf shiny ship shop shove show shrimp side
silver simple sing sip six sleep slip small smell smile smoke smooth snow soap sober soft soup south space spare speak special speed spell spice spoon spring
stable stamp star stem step stone storm stove strap stream strong study stump submit subway such sudden suffer sugar summer sun supper supply surf surprise
swamp swim table tape team temper temple ten thank theme thief thin thing think thirty thousand three through thumb thunder tiger timber time tiny tomato tomb
tooth top total tough towel tower town travel treasure tree trip triumph trouble true trumpet tube tulip tumble turnip turtle twelve twenty umbrella umpire uncle
under uniform universe up upper useful usual valley value van vanilla vapour vast vehicle velvet verb very vest victory video view village vine violin visit
vivid voice volume vote voyage wave weather week weave welcome west whale wheat whisper white wife wild win window wing winter wipe wise wolf woman wonder wood
wool word work world worm wrap yellow yesterday young zebra zero zoo""".split()

# Syllables in each language's spelling; espeak-ng and the voices read any word by their rules.
SYLLABLES = {
    "de": ("p b m f w v sch s k g t d n l r h z st pf br fr schw ch", "a e i o u ä ö ü ei au eu ie aa oh ee", "n m l r s t ch ng p b ff mm"),
    "fr": ("p b m f v ch s k g t d n l r j z br pl gn fr", "a e i o u é è ou an on in eu oi au eau u", "l r s t m n p f c"),
    "es": ("p b m f v ch s c g t d n l r j z br pl ñ ll fr", "a e i o u a e o ie ue ia", "n l r s d m"),
    "it": ("p b m f v c s ch gh t d n l r gi z br pl gn gli sci fr mm pp", "a e i o u a e i o", "n l r s m"),
    "pl": ("p b m f w cz sz s k g t d n l r ż ł dz br pl ć ś h mi bi", "a e i o u y ó ę ą", "n l r s k m t ch p w"),
    "pt": ("p b m f v ch s c g t d n l r j z br pl nh lh", "a e i o u ã ão ei ou é ô", "n l r s m"),
    "nl": ("p b m f v sch s k g t d n l r h z w br pl", "a e i o u aa ee oo uu oe ie eu ui ij ou", "n l r s k m t p f ng"),
    "sv": ("p b m f v sj s k g t d n l r h tj br pl", "a e i o u å ä ö y", "n l r s k m t ng v"),
    "tr": ("p b m f v ş s k g t d n l r h ç c y z", "a e i o u ı ö ü", "n l r s k m t p z ş"),
    "fi": ("p m v s k t n l r h j pp mm", "a e i o u ä ö y aa ee ii oo uu yy ää ai ei uo ie", "n l s t r"),
    "cs": ("p b m f v š s k h t d n l r ž č ř ch z", "a e i o u á é í ů y ou", "n l r s k m t v"),
    "hu": ("p b m f v s sz k g t d n l r h cs gy z ny", "a e i o u á é í ö ő ü ű", "n l r s k m t b"),
    "ro": ("p b m f v ș s c g t d n l r h ț z", "a e i o u ă î ea oa", "n l r s c m t p"),
    "id": ("p b m ng s k g t d n l r h j c y w", "a e i o u a ai au", "n ng r s k m t p"),
}  # fmt: skip
LIPS = set("pbmfv")


def english(rng):
    words = []
    for _ in range(rng.integers(4, 10)):
        if rng.random() < 0.3:
            words.append(str(rng.choice(SMALL)))
        words.append(str(rng.choice(ENGLISH)))
    return sentence(words, rng)


def foreign(language, rng):
    if language == "en":
        return english(rng)
    first, vowels, last = (part.split() for part in SYLLABLES[language])
    words = []
    for _ in range(rng.integers(3, 8)):
        word = ""
        for _ in range(rng.integers(1, 4)):
            if rng.random() < 0.9:
                word += str(rng.choice(first))
            word += str(rng.choice(vowels))
            if rng.random() < 0.35:
                word += str(rng.choice(last))
        words.append(word)
    return sentence(words, rng)


def sentence(words, rng):
    if len(words) > 6 and rng.random() < 0.4:
        words[len(words) // 2] += ","
    return " ".join(words).capitalize() + str(rng.choice([".", ".", ".", "?", "!"]))
