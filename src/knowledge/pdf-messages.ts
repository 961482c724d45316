/** The answer of the PDF process. */
export type PdfAnswer = { type: 'text'; text: string } | { type: 'refused'; why: PdfRefusal };

export type PdfRefusal =
  | 'no_text'
  | 'unreadable'
  | 'encrypted'
  | 'pages'
  | 'characters'
  | 'memory'
  | 'time';

export type PdfLimits = {
  pages: number;
  /** Length of the text. */
  characters: number;
  /** Memory of the PDF process. */
  memoryMiB: number;
  withinMs: number;
};
