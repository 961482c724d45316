/** What the process that reads a PDF answers. */
export type PdfAnswer = { type: 'text'; text: string } | { type: 'refused'; why: PdfRefusal };

export type PdfRefusal = 'unreadable' | 'encrypted' | 'pages' | 'characters' | 'memory' | 'time';

export type PdfLimits = {
  pages: number;
  /** Of the text. */
  characters: number;
  /** Of the whole process that reads. */
  memoryMiB: number;
  withinMs: number;
};
