/*
 * Words that decide about turns, by language, in lower case. Languages that are missing here have
 * none: what is said over the agent interrupts it.
 */
import { baseLanguage } from '#protocol/languages.ts';
import { wordsOf } from './words.ts';

type TurnWords = {
  /** Phrases that show attention. Longest first, as the commands. */
  asides: readonly string[];
  /** Words that do. */
  backchannels: ReadonlySet<string>;
  /** Phrases that tell the agent to be quiet. */
  commands: readonly string[];
  /** Words that begin a question or an objection. */
  questions: ReadonlySet<string>;
  /** What recognisers make of noise and breath. */
  noise: ReadonlySet<string>;
  /** Words that end no sentence. */
  openings: ReadonlySet<string>;
  /** Words that seldom end one of more than three words. */
  danglings: ReadonlySet<string>;
  /** Ends that recognisers write for an opening: "have two" for "have to". */
  mishearings: ReadonlySet<string>;
  /** Words after which a clause of a single word is unfinished: "if you". */
  subordinators: ReadonlySet<string>;
  /** Announce digits, which may go on after a pause. */
  numberWords: ReadonlySet<string>;
};

type Source = {
  asides?: string;
  backchannels: string;
  commands: string;
  questions: string;
  noise?: string;
  openings: string;
  danglings?: string;
  mishearings?: string;
  subordinators?: string;
  numberWords?: string;
};

const SOURCES: Record<string, Source> = {
  en: {
    asides:
      "i see|i understand|got it|makes sense|that makes sense|of course|that's interesting|fair enough|thank you|i know|oh my god|you're right|that's right|that's true|that's great|all right",
    backchannels:
      'mm mhm mmhm hm hmm mmm huh uh um uhhuh yeah yes yep yup ya aha ah oh ok okay right alright sure fine good great nice cool wow true exactly absolutely definitely indeed perfect awesome understood interesting really thanks',
    commands:
      'stop|wait|wait a second|wait a minute|wait a moment|hold on|hold on a second|hang on|hang on a second|one moment|one second|just a moment|just a second|excuse me|be quiet|quiet|shut up|pause|enough|stop it|stop talking|please stop|please wait|never mind',
    questions:
      "what what's who who's whose where where's when when's why how how's which can could would will do does did is are am should may have has no not but sorry actually wrong hello help",
    noise: 'the a you uh um',
    openings:
      "a an and because but i i'd i'll i'm if into it's its my of or our than the their they're uh um very we're whether with you're your his",
    danglings:
      'are at be been could does for from had has have he is she should they to was we were which who will would',
    mishearings:
      'have two|have too|has two|has too|had two|need two|want two|going two|going too|like two|able two',
    subordinators: 'if whether because unless until while although',
    numberWords:
      'number phone code card account zero one two three four five six seven eight nine oh double triple',
  },
  de: {
    backchannels:
      'mhm hm hmm mm ja jaja jep jo genau ok okay gut klar aha ah ach so oh stimmt richtig super toll prima schön verstehe verstanden alles natürlich sicher interessant wirklich echt danke eben',
    commands:
      'stopp|stop|halt|warte|warten sie|warte mal|warten sie mal|moment|moment mal|einen moment|einen augenblick|augenblick|entschuldigung|ruhe|still|sekunde|pause|genug|hallo',
    questions:
      'was wer wo wann warum wieso weshalb wie welche welcher welches können kann könnten haben hat ist sind darf dürfen gibt nein nicht aber falsch doch hilfe',
    noise: 'äh ähm',
    openings:
      'aber als am bei bin dass dem den der des die durch ein eine einem einen einer für ich im in ist mein meine meiner mit oder sehr sind und unser vom von weil wenn zum zur äh ähm',
    subordinators: 'dass weil wenn ob bis während obwohl',
    numberWords:
      'nummer telefonnummer null eins zwei zwo drei vier fünf sechs sieben acht neun doppel',
  },
  fr: {
    backchannels:
      "mhm hm hmm mm ouais oui ok okay d'accord bien sûr très ah oh bon voilà exactement tout à fait je vois c'est ça compris parfait super génial merci vraiment intéressant",
    commands:
      'stop|attendez|attends|un instant|un moment|une seconde|excusez moi|pardon|arrêtez|arrête|silence|pause',
    questions:
      'quoi que qui où quand pourquoi comment combien quel quelle quels quelles est peux pouvez avez',
    noise: 'euh',
    openings:
      'à au aux avec ce ces cette chez dans de des du en est et je la le les leur ma mais mes mon ne notre ou par pour que sa sans ses si son sur très un une vos votre euh',
    subordinators: 'que parce si quand lorsque',
    numberWords: 'numéro zéro un deux trois quatre cinq six sept huit neuf',
  },
  es: {
    backchannels:
      'mhm hm hmm mm ajá sí si ok okay vale bien claro bueno ya entiendo entendido exacto perfecto genial gracias de acuerdo por supuesto ah oh interesante',
    commands:
      'para|pare|espera|espere|un momento|un segundo|perdón|perdona|perdone|disculpe|silencio|alto|basta|pausa',
    questions: 'qué quién dónde cuándo cómo cuánto cuántos cuál cuáles puede puedo tiene hay es',
    noise: 'eh',
    openings:
      'a al con de del desde el en entre es la las los mi mis muy o para pero por porque que si sin sobre su sus tu un una unos y eh',
    subordinators: 'que si porque cuando',
    numberWords: 'número cero uno dos tres cuatro cinco seis siete ocho nueve',
  },
  it: {
    backchannels:
      'mhm hm hmm mm sì si ok okay va bene certo capisco capito esatto giusto perfetto ottimo grazie ah oh già davvero interessante ecco',
    commands:
      'stop|ferma|fermati|si fermi|aspetta|aspetti|un momento|un attimo|un secondo|scusa|scusi|silenzio|basta|pausa',
    questions: 'cosa che chi dove quando perché come quanto quanti quale quali può posso avete è',
    noise: 'eh ehm',
    openings:
      'a ad ai al alla alle che con da dal dalla dei del della di e ed è gli i il in la le lo ma mia mio nel nella non o per perché se sono sul sulla tra un una uno eh ehm',
    subordinators: 'che se perché quando',
    numberWords: 'numero zero uno due tre quattro cinque sei sette otto nove',
  },
  pt: {
    backchannels:
      'mhm hm hmm mm sim ok okay está bem certo claro entendo entendi exato perfeito ótimo obrigado obrigada ah oh pois isso legal verdade',
    commands:
      'para|pare|espera|espere|um momento|um segundo|desculpe|desculpa|com licença|silêncio|chega|pausa',
    questions: 'que quem onde quando como quanto quantos qual quais pode posso tem há é',
    noise: 'eh',
    openings:
      'a ao as com da das de do dos e é em entre eu mas meu minha muito na nas no nos o os ou para pela pelo por porque que se sem seu sua sobre um uma eh',
    subordinators: 'que se porque quando',
    numberWords: 'número zero um dois três quatro cinco seis meia sete oito nove',
  },
  nl: {
    backchannels:
      'mhm hm hmm mm ja jawel oké ok okay goed prima precies inderdaad snap begrijp natuurlijk mooi fijn top ah oh dank je u bedankt klopt echt',
    commands:
      'stop|wacht|wacht even|wacht eens|een moment|momentje|even wachten|pardon|sorry|stil|genoeg|pauze',
    questions:
      'wat wie waar wanneer waarom hoe welke welk kan kunt kunnen heeft hebben is zijn mag',
    noise: 'eh uh',
    openings:
      'aan als bij de door een en het ik in is maar met mijn naar of om onze op te tot van voor zeer eh uh',
    subordinators: 'dat omdat als of tot terwijl',
    numberWords: 'nummer nul een één twee drie vier vijf zes zeven acht negen',
  },
  pl: {
    backchannels:
      'mhm hm hmm mm tak no ok okay dobrze dobra jasne rozumiem dokładnie właśnie świetnie super dziękuję dzięki oczywiście ach aha naprawdę ciekawe pewnie',
    commands:
      'stop|stój|czekaj|poczekaj|proszę poczekać|chwila|chwileczkę|moment|przepraszam|cisza|dosyć|pauza',
    questions: 'co kto gdzie kiedy dlaczego jak ile który która które czy',
    noise: 'yyy eee',
    openings:
      'a ale albo bo dla do i jest jestem lub mam mój moja na nad o od oraz po pod ponieważ przez przy są u w we z za ze że yyy eee',
    subordinators: 'że bo jeśli czy gdy ponieważ',
    numberWords: 'numer zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć',
  },
  ja: {
    backchannels:
      'はい ええ うん うんうん そう です ね そうですね なるほど わかり わかりました まし た へえ ああ オーケー ok 確か に',
    commands: '待っ て|ちょっと 待っ て|ストップ|すみません|止め て|待って|ちょっと',
    questions: '何 誰 どこ いつ なぜ どう どの いくら どれ',
    noise: 'えー えっと あの',
    openings: 'の が を に は で と も や から けど そして えっと あの',
    numberWords: '番号 零 一 二 三 四 五 六 七 八 九',
  },
  zh: {
    backchannels:
      '嗯 嗯嗯 对 对对 是 是的 好 好的 行 可以 哦 啊 噢 明白 明白了 了解 知道 知道了 没错 没 错 当然 谢谢 ok',
    commands: '停|等等|等一下|等 一下|稍等|暂停|打住|不好意思|别说了',
    questions: '什么 谁 哪里 哪 哪儿 怎么 为什么 多少 几 能 可以 吗',
    noise: '呃 那个',
    openings: '和 跟 在 是 把 给 但是 因为 如果 还有 呃 那个',
    numberWords: '号码 零 一 二 三 四 五 六 七 八 九',
  },
};

const NONE: TurnWords = {
  asides: [],
  backchannels: new Set(),
  commands: [],
  questions: new Set(),
  noise: new Set(),
  openings: new Set(),
  danglings: new Set(),
  mishearings: new Set(),
  subordinators: new Set(),
  numberWords: new Set(),
};

const bag = (words = ''): ReadonlySet<string> => new Set(words.split(' ').filter(Boolean));

/** Longest first, so that "wait a minute" is not "wait" with two words after it. */
const phrasesIn = (phrases = '', language: string): string[] =>
  phrases
    .split('|')
    .map((phrase) => wordsOf(phrase, language).join(' '))
    .filter(Boolean)
    .toSorted((a, b) => b.length - a.length);

const BY_LANGUAGE = new Map(
  Object.entries(SOURCES).map(([language, source]): [string, TurnWords] => [
    language,
    {
      backchannels: bag(source.backchannels),
      asides: phrasesIn(source.asides, language),
      commands: phrasesIn(source.commands, language),
      questions: bag(source.questions),
      noise: bag(source.noise),
      openings: bag(source.openings),
      danglings: bag(source.danglings),
      mishearings: new Set(source.mishearings?.split('|')),
      subordinators: bag(source.subordinators),
      numberWords: bag(source.numberWords),
    },
  ]),
);

export const turnWordsOf = (language: string): TurnWords =>
  BY_LANGUAGE.get(baseLanguage(language)) ?? NONE;
