import type { Piece } from './layout.ts';

/** A field or note as the library returns it. The library has no type for it. */
type Annotation = {
  subtype: string;
  rect: [left: number, bottom: number, right: number, top: number];
  hidden?: boolean;
  fieldType?: string | null;
  fieldValue?: unknown;
  password?: boolean;
  pushButton?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string | null;
  options?: { exportValue: string; displayValue: string }[];
  contentsObj?: { str: string };
};

const LARGEST_LETTERS = 12;
const WITHOUT_WORDS = new Set(['Link', 'Popup', 'Widget']);

/**
 * The values of a page's form fields and its notes, in the rows of the pieces beside them. A
 * page's text does not hold them.
 */
export function notesAmong(pieces: Piece[], annotations: unknown[]): Piece[] {
  return (annotations as Annotation[]).flatMap((annotation) => {
    if (annotation.hidden) return [];
    const isField = annotation.subtype === 'Widget';
    const text = (isField ? valueOf(annotation) : noteOf(annotation)).trim();
    if (text === '') return [];
    const [left, bottom, right, top] = annotation.rect;
    const size = Math.min(LARGEST_LETTERS, Math.max(1, top - bottom));
    const beside = pieces
      .filter(({ y, text }) => text.trim() !== '' && y > bottom - size / 2 && y < top)
      .toSorted((a, b) => Math.abs(a.x - left) - Math.abs(b.x - left))[0];
    const y = beside?.y ?? (bottom + top - size) / 2;
    return [{ text, x: left, y, width: right - left, size }];
  });
}

function valueOf(field: Annotation): string {
  const { fieldType, fieldValue, password, pushButton, checkBox, radioButton } = field;
  if (password || pushButton || fieldType === 'Sig') return '';
  if (checkBox) return fieldValue === field.exportValue ? '[x]' : '[ ]';
  if (radioButton) return fieldValue === field.buttonValue ? '[x]' : '[ ]';
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter(
    (value) => typeof value === 'string',
  );
  return values.map((value) => shownAs(field, value)).join(', ');
}

const shownAs = ({ options = [] }: Annotation, value: string): string =>
  options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value;

const noteOf = ({ subtype, contentsObj }: Annotation): string =>
  WITHOUT_WORDS.has(subtype) ? '' : (contentsObj?.str ?? '');
