/*
 * Removes reasoning from the text of a language model. Servers that do not separate it leave the
 * markers of the model's template in the text: <think>, [THINK], <|channel|>analysis and others, in
 * pieces of any length. Reasoning without an end is dropped.
 */

const NAME =
  '(?:[a-z]+:)?(?:chain[_-]of[_-]|inner[_-]|internal[_-])?(?:thinking|thoughts?|think|reasoning|reason|reflection|scratchpad|analysis|monologue|rationale|cot)(?:[_-](?:process|content|details|block))?';
/** In square brackets, other words are text. */
const BARE_NAME = '(?:think|thinking|thought|thoughts|reasoning)';
const OPEN = '[<◁⟨〈《【]\\|?\\s*';
const CLOSE = '\\s*\\|?[>▷⟩〉》】]';

const ENDS = [
  // gpt-oss: <|channel|>analysis<|message|>...<|end|><|start|>assistant<|channel|>final<|message|>
  '<\\|channel\\|>\\s*final\\b[^<]{0,100}<\\|message\\|>',
  '<\\|(?:end|return|call)\\|>',
  '<\\|start\\|>(?:assistant)?',
  '<channel\\|>',
  '<unused95>',
  '<\\|inner_suffix\\|>',
  `${OPEN}(?:\\/\\s*|end_(?:of_)?)${NAME}${CLOSE}`,
  `\\[\\s*\\/\\s*${BARE_NAME}\\s*\\]`,
  '<\\/details>',
];
const BEGINS = [
  '<\\|channel\\|>\\s*\\w+\\b[^<]{0,100}(?:<\\|constrain\\|>[^<]{0,40})?<\\|message\\|>',
  '<\\|channel>\\s*\\w+\\s',
  '<unused94>',
  '<\\|inner_prefix\\|>',
  `${OPEN}(?:(?:begin|start)_(?:of_)?)?${NAME}(?:\\s[^<>▷]{0,200})?(?<!\\/)${CLOSE}`,
  // Not a link.
  `\\[\\s*${BARE_NAME}\\s*\\](?!\\()`,
  '<details\\s[^<>]{0,100}reasoning[^<>]{0,100}>',
];
/** Left by templates, without meaning for a reader. */
const REMAINS = [`${OPEN}${NAME}\\s*\\/${CLOSE}`, '<[|｜][^<>]{1,40}[|｜]>', '<\\/?s>'];

const MARKER = new RegExp(
  `(?<end>${ENDS.join('|')})|(?<begin>${BEGINS.join('|')})|(?<remains>${REMAINS.join('|')})`,
  'iu',
);
/** Some reasoning begins the answer in plain words and ends in others. */
const LEADS = [
  { begin: /^\s*here(?:'s| is) my thought process:/i, end: /here(?:'s| is) my response:/i },
  { begin: /^analysis(?=[A-Z])/, end: /assistant\s?final(?=\S)/ },
];
/** The end of a piece that may become a marker. */
const PARTIAL =
  /(?:<\|channel\|?>[^<]{0,100}(?:<\|constrain\|>[^<]{0,40})?(?:<[|a-z]*)?|<\|start\|>\w{0,20}|[<◁⟨〈《【[][|｜]?\s?\/?\s?[\w:|｜▁/.="' -]{0,120}\]?|<details\s[^<>]{0,220})$/iu;
const PARTIAL_LEAD = /^\s*(?:h(?:e(?:r(?:e(?:[' ][^:]{0,25})?)?)?)?|a[nalysi]{0,7})$/i;
/** Longer than any marker. */
const MARKER_LENGTH = 320;

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
  end(): string {
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
    for (let marker = this.#next(isComplete); marker; marker = this.#next(isComplete)) {
      text += this.#visible(this.#buffer.slice(0, marker.index));
      this.#buffer = this.#buffer.slice(marker.index + marker[0].length);
      this.#pass(marker);
    }
    const partialAt = isComplete ? -1 : this.#buffer.search(PARTIAL);
    const readyLength = partialAt < 0 ? this.#buffer.length : partialAt;
    text += this.#visible(this.#buffer.slice(0, readyLength));
    this.#buffer = this.#buffer.slice(readyLength);
    return text;
  }

  /** False: more must come before the first words can be read. */
  #begin(isComplete: boolean): boolean {
    if (!isComplete && PARTIAL_LEAD.test(this.#buffer)) return false;
    this.#hasBegun = this.#buffer.trim() !== '';
    this.#lead = LEADS.find(({ begin }) => begin.test(this.#buffer)) ?? null;
    return true;
  }

  /** Null as well if the marker may go on in the next piece. */
  #next(isComplete: boolean): RegExpExecArray | null {
    const marker = MARKER.exec(this.#buffer);
    if (!marker || isComplete) return marker;
    const partialAt = this.#buffer.search(PARTIAL);
    return partialAt >= 0 && partialAt <= marker.index ? null : marker;
  }

  #pass({ groups: { begin, end } = {} }: RegExpExecArray): void {
    if (begin !== undefined) this.#open.push(nameIn(begin));
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

const NAME_ALONE = new RegExp(NAME, 'i');
const nameIn = (marker: string): string => NAME_ALONE.exec(marker)?.[0].toLowerCase() ?? '';

/** The same for a whole answer. */
export function withoutReasoning(text: string): string {
  const filter = new ReasoningFilter();
  const shownText = filter.push(text) + filter.end();
  if (!filter.endsBare) return shownText;
  const insideFilter = new ReasoningFilter(true);
  return insideFilter.push(text) + insideFilter.end();
}
