/*
 * Reads streamed Markdown as a person would read it aloud: no marks, no code, tables as sentences.
 * Text leaves as soon as a sentence is complete.
 */
import { isOpen, readInline } from './inline.ts';
import { readLatex } from './latex.ts';
import { cellsOf, isRow, isSeparator, readRow } from './table.ts';

/*
 * text     lines of prose, lists and headings
 * heading  this line is the head of a table if a separator follows      -> table, text
 * table    rows follow                                                  -> text at another line
 * skipped  code or a comment, up to a line that matches `end`           -> text
 * formula  collected up to a line that matches `end`                    -> text
 */
type State =
  | { type: 'text' }
  /** `unread`: the part of the line that has not left. */
  | { type: 'heading'; line: string; unread: string }
  | { type: 'table'; headings: readonly string[] }
  | { type: 'skipped'; end: RegExp }
  | { type: 'formula'; end: RegExp; text: string };

const TEXT: State = { type: 'text' };

/** A line that may be something else than prose until it is complete. */
const MAY_BE_BLOCK = /^\s*(?:[|>#=~`$\\<:]|[-+*](?:\s|$|[-+*])|_{2}|\[|\d{1,3}[.)]?$|$)/;
/** Longer ones are cut: patterns search each again with every piece of it. */
const LONGEST_LINE = 2_000;
/** Up to the end of the last complete sentence. */
const SENTENCES = /^[^]*[.!?…。！？]["'”’)\]*_]*(?:\s+|(?<=[。！？]))/u;

/** Words in which no mark begins. */
const PLAIN_WORDS = /^[^`*_~$[\]<>\\|:&【=#!\n]*\s/;

export class SpokenText {
  #state: State = TEXT;
  #line = '';
  /** The beginning of the line, which has left. */
  #readPart = '';

  push(piece: string): string {
    const lines = (this.#line + piece).split(/\r?\n/).flatMap(cut);
    this.#line = lines.pop() ?? '';
    const text = lines.map((line) => this.#read(line)).join('');
    return text + this.#readSentences();
  }

  end(): string {
    const text = this.#line === '' ? '' : this.#read(this.#line);
    this.#line = '';
    const state = this.#state;
    this.#state = TEXT;
    if (state.type === 'heading') return text + prose(state.unread);
    if (state.type === 'formula') return `${text}${readLatex(state.text)}\n`;
    return text;
  }

  /** Takes the complete sentences of an incomplete line. */
  #readSentences(): string {
    if (this.#state.type !== 'text') return '';
    if (this.#readPart === '' && MAY_BE_BLOCK.test(this.#line)) return '';
    const sentences = SENTENCES.exec(this.#line)?.[0] ?? '';
    const isReady = !sentences.includes('|') && !isOpen(sentences);
    const marked = isReady ? sentences : '';
    // The next sentence shows that the one before it is complete.
    const plain = PLAIN_WORDS.exec(this.#line.slice(marked.length))?.[0] ?? '';
    const ready = marked + plain;
    if (ready === '') return '';
    const text = readInline(ready, this.#readPart !== '');
    this.#line = this.#line.slice(ready.length);
    this.#readPart += ready;
    return text;
  }

  #read(line: string): string {
    const readPart = this.#readPart;
    this.#readPart = '';
    const state = this.#state;
    switch (state.type) {
      case 'text':
        if (readPart === '') return this.#begin(line);
        if (!line.includes('|')) return `${readInline(line, true)}\n`;
        this.#state = { type: 'heading', line: readPart + line, unread: line };
        return '';
      case 'heading':
        this.#state = isSeparator(line) ? { type: 'table', headings: cellsOf(state.line) } : TEXT;
        return isSeparator(line) ? '\n' : prose(state.unread) + this.#begin(line);
      case 'table':
        if (line.includes('|')) return `${readRow(state.headings, cellsOf(line))}\n`;
        this.#state = TEXT;
        return this.#begin(line);
      case 'skipped':
        if (state.end.test(line)) this.#state = TEXT;
        return '';
      case 'formula':
        if (!state.end.test(line)) {
          this.#state = { ...state, text: `${state.text} ${line}` };
          return '';
        }
        this.#state = TEXT;
        return `${readLatex(`${state.text} ${line.replace(state.end, '')}`)}\n`;
    }
  }

  /** A line that is not within anything. */
  #begin(line: string): string {
    const fence = /^\s*(`{3,40}|~{3,40})/.exec(line)?.[1];
    if (fence && !line.trimEnd().slice(fence.length).endsWith(fence)) {
      this.#state = { type: 'skipped', end: new RegExp(`^\\s*${fence[0]}{${fence.length},}\\s*$`) };
      return '';
    }
    const comment = line.lastIndexOf('<!--');
    if (comment >= 0 && !line.includes('-->', comment + 4)) {
      this.#state = { type: 'skipped', end: /-->/ };
      return prose(line);
    }
    const tag = unclosedTag(line);
    if (tag) {
      this.#state = { type: 'skipped', end: new RegExp(`</${tag.name}`, 'i') };
      return prose(line.slice(0, tag.at));
    }
    const formula = /^\s*(\$\$|\\\[|\\begin\{\w+\*?\})(?!.*(?:\$\$|\\\]|\\end))/.exec(line);
    if (formula) {
      const text = line.slice(formula[0].length);
      this.#state = { type: 'formula', end: /\$\$|\\\]|\\end\{\w+\*?\}/, text };
      return '';
    }
    if (line.includes('|') && !isSeparator(line)) {
      this.#state = { type: 'heading', line, unread: line };
      return '';
    }
    return prose(line);
  }
}

const cut = (line: string): string[] =>
  line.length <= LONGEST_LINE ? [line] : (line.match(PARTS) ?? []);

/** Ends at words, if there are any. */
const PARTS = new RegExp(`[^]{1,${LONGEST_LINE}}(?:\\s|$)|[^]{1,${LONGEST_LINE}}`, 'gu');

/** The first tag of code that has no end in its line. */
function unclosedTag(line: string): { name: string; at: number } | undefined {
  const open = new Map<string, number>();
  for (const { 1: slash, 2: tag = '', index } of line.matchAll(TAGS)) {
    const name = tag.toLowerCase();
    if (slash) open.delete(name);
    else if (!open.has(name)) open.set(name, index);
  }
  const [first] = open;
  return first && { name: first[0], at: first[1] };
}

const TAGS = /<(\/?)(script|style|pre|svg|math)\b/gi;

/** Lines without text of their own: rules, underlines, definitions of links and notes. */
const SILENT = /^(?:(?:[-*_]\s*){3,}|={2,}|:{3,}.*|\[\^?[^\]]{1,80}\]:\s.*|(?=[^|]*\|)[\s:|-]*)$/;
const MARKS = /^\s*(?:>\s?)*\s*(?:#{1,6}(?:\s+|$)|[-+*•]\s+)?(?:\[[ xX]\]\s+)?/;

function prose(line: string): string {
  if (SILENT.test(line.trimStart())) return '\n';
  if (isRow(line)) return `${readRow([], cellsOf(line))}\n`;
  return `${readInline(line.replace(MARKS, '')).replace(/(?<!\s)\s+#+\s*$/, '')}\n`;
}

/** Reads a stream. */
export async function* spokenText(text: AsyncIterable<string>): AsyncGenerator<string> {
  const reader = new SpokenText();
  for await (const piece of text) {
    const part = reader.push(piece);
    if (part !== '') yield part;
  }
  const tail = reader.end();
  if (tail !== '') yield tail;
}
