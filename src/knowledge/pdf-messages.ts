/** The result of the thread. */
export type PdfAnswer =
  | {
      type: 'text';
      text: string;
      /** Whether the file ends early, or has pages that cannot be read. */
      isIncomplete: boolean;
    }
  | { type: 'refused'; why: PdfRefusal };

/** The process sends a text in parts, because the service decodes each message at once. */
export type PdfMessage = PdfAnswer | { type: 'part'; text: string };

/** Characters of a part. */
export const PART_CHARS = 128 * 1024;

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
