/*
 * Removes reasoning from the text of a language model. Servers that do not separate it leave the
 * markers of the model's template in the text: <think>, [THINK], <|channel|>analysis and others, in
 * pieces of any length. Reasoning without an end is dropped.
 */

const NAME =
  '(?:[a-z]+:)?(?:chain[_-]of[_-]|inner[_-]|internal[_-])?(?:thinking|thoughts?|think|reasoning|reason|reflection|scratchpad|analysis|monologue|rationale|cot)(?:[_-](?:process|content|details|block))?';
/** In square brackets, other words are text. */
const BARE_NAME = '(?:think|thinking|thought|thoughts|reasoning)';
const OPEN = '[<◁⟨〈《【]\\|?\\s{0,8}';
const CLOSE = '\\s{0,8}\\|?[>▷⟩〉》】]';

const ENDS = [
  // gpt-oss: <|channel|>analysis<|message|>...<|end|><|start|>assistant<|channel|>final<|message|>
  '<\\|channel\\|>\\s{0,8}final\\b[^<]{0,100}<\\|message\\|>',
  '<\\|(?:end|return|call)\\|>',
  '<\\|start\\|>(?:assistant)?',
  '<channel\\|>',
  '<unused95>',
  '<\\|inner_suffix\\|>',
  `${OPEN}(?:\\/\\s{0,8}|end_(?:of_)?)${NAME}${CLOSE}`,
  `\\[\\s{0,8}\\/\\s{0,8}${BARE_NAME}\\s{0,8}\\]`,
  '<\\/details>',
];
const BEGINS = [
  '<\\|channel\\|>\\s{0,8}\\w{1,40}\\b[^<]{0,100}(?:<\\|constrain\\|>[^<]{0,40})?<\\|message\\|>',
  '<\\|channel>\\s{0,8}\\w{1,40}\\s',
  '<unused94>',
  '<\\|inner_prefix\\|>',
  `${OPEN}(?:(?:begin|start)_(?:of_)?)?${NAME}(?:\\s[^<>▷]{0,200})?(?<!\\/)\\|?[>▷⟩〉》】]`,
  // Not a link.
  `\\[\\s{0,8}${BARE_NAME}\\s{0,8}\\](?!\\()`,
  '<details\\s[^<>]{0,100}reasoning[^<>]{0,100}>',
];
/** Left by templates, without meaning for a reader. */
const REMAINS = [`${OPEN}${NAME}\\s{0,8}\\/${CLOSE}`, '<[|｜][^<>]{1,40}[|｜]>', '<\\/?s>'];

const MARKER = new RegExp(
  `(?<end>${ENDS.join('|')})|(?<begin>${BEGINS.join('|')})|(?<remains>${REMAINS.join('|')})`,
  'giu',
);
/** Some reasoning begins the answer in plain words and ends in others. */
const LEADS = [
  { begin: /^\s*here(?:'s| is) my thought process:/i, end: /here(?:'s| is) my response:/i },
  { begin: /^analysis(?=[A-Z])/, end: /assistant\s?final(?=\S)/ },
];
/** The end of a piece that may become a marker. */
const PARTIAL =
  /(?:<\|channel\|?>[^<]{0,100}(?:<\|constrain\|>[^<]{0,40})?(?:<[|a-z]{0,16})?|<\|start\|>\w{0,20}|[<◁⟨〈《【[][|｜]?\s?\/?\s?[\w:|｜▁/.="' -]{0,120}\]?|<details\s[^<>]{0,220})$/iu;
const PARTIAL_LEAD = /^\s*(?:h(?:e(?:r(?:e(?:[' ][^:]{0,25})?)?)?)?|a[nalysi]{0,7})$/i;
/** Longer than any marker. */
const MARKER_LENGTH = 320;
/** Reasoning within reasoning. Deeper beginnings are not counted. */
const MOST_OPEN = 32;

/** The text of one answer, in pieces. */
export class ReasoningFilter {
  /** Names of the reasoning that has begun and not ended. */
  #open: string[] = [];
  #buffer = '';
  #lead: (typeof LEADS)[number] | null = null;
  #hasText = false;
  #hasBegun = false;
  /** Text that is reasoning only if an end follows. */
  #assumed: string | null;
  #endsBare = false;

  /** `startsInside`: the template has begun the reasoning, so that the answer only ends it. */
  constructor(startsInside = false) {
    this.#assumed = startsInside ? '' : null;
  }

  /** Reasoning ended that had not begun: the next answer of this model starts inside. */
  get endsBare(): boolean {
    return this.#endsBare;
  }

  push(piece: string): string {
    this.#buffer += piece;
    return this.#take(false);
  }

  /** The answer is complete. */
  end(piece = ''): string {
    this.#buffer += piece;
    const text = this.#take(true);
    const assumedText = this.#text(this.#assumed ?? '');
    this.#assumed = null;
    return text + assumedText;
  }

  #take(isComplete: boolean): string {
    if (!this.#hasBegun && !this.#begin(isComplete)) return '';
    let text = '';
    if (this.#lead) {
      const end = this.#lead.end.exec(this.#buffer);
      if (!end || (!isComplete && end.index + end[0].length === this.#buffer.length)) {
        this.#buffer = this.#buffer.slice(-MARKER_LENGTH);
        return '';
      }
      this.#buffer = this.#buffer.slice(end.index + end[0].length);
      this.#lead = null;
    }
    const buffer = this.#buffer;
    let at = 0;
    let partialAt = isComplete ? buffer.length : partialIn(buffer, at);
    for (let marker = markerFrom(buffer, at); marker; marker = markerFrom(buffer, at)) {
      // The marker may go on in the next piece.
      if (partialAt <= marker.index) break;
      text += this.#visible(buffer.slice(at, marker.index));
      at = marker.index + marker[0].length;
      this.#pass(marker);
      if (partialAt < at) partialAt = partialIn(buffer, at);
    }
    text += this.#visible(buffer.slice(at, partialAt));
    this.#buffer = buffer.slice(partialAt);
    return text;
  }

  /** False: more must come before the first words can be read. */
  #begin(isComplete: boolean): boolean {
    if (!isComplete && PARTIAL_LEAD.test(this.#buffer)) return false;
    this.#hasBegun = this.#buffer.trim() !== '';
    this.#lead = LEADS.find(({ begin }) => begin.test(this.#buffer)) ?? null;
    return true;
  }

  #pass({ groups: { begin, end } = {} }: RegExpExecArray): void {
    if (begin !== undefined && this.#open.length < MOST_OPEN) this.#open.push(nameIn(begin));
    if (end === undefined) return;
    if (this.#open.length === 0) {
      if (nameIn(end) === '') return;
      this.#endsBare = true;
      this.#assumed = null;
      return;
    }
    const at = this.#open.lastIndexOf(nameIn(end));
    this.#open.length = at >= 0 ? at : this.#open.length - 1;
  }

  #visible(text: string): string {
    if (this.#open.length > 0 || text === '') return '';
    if (this.#assumed === null) return this.#text(text);
    this.#assumed += text;
    return '';
  }

  #text(text: string): string {
    const shownText = this.#hasText ? text : text.trimStart();
    this.#hasText ||= shownText !== '';
    return shownText;
  }
}

function markerFrom(text: string, at: number): RegExpExecArray | null {
  MARKER.lastIndex = at;
  return MARKER.exec(text);
}

/** Where a marker may begin that goes on in the next piece. Otherwise the length of the text. */
function partialIn(text: string, at: number): number {
  const tailAt = Math.max(at, text.length - MARKER_LENGTH);
  const partialAt = text.slice(tailAt).search(PARTIAL);
  return partialAt < 0 ? text.length : tailAt + partialAt;
}

const NAME_ALONE = new RegExp(NAME, 'i');
const nameIn = (marker: string): string => NAME_ALONE.exec(marker)?.[0].toLowerCase() ?? '';

/** The same for a whole answer. */
export function withoutReasoning(text: string): string {
  const filter = new ReasoningFilter();
  const shownText = filter.end(text);
  return filter.endsBare ? new ReasoningFilter(true).end(text) : shownText;
}
