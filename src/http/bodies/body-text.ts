import { Fault, problem } from '../../errors.ts';

/** Throws unless the bytes are text in UTF-8, or in the charset that the content type declares. */
export function textOf(bytes: Buffer, contentType = ''): string {
  const charset = /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const decoder = decoderOf(charset);
  try {
    return decoder.decode(bytes);
  } catch {
    const detail = `The body is not text in ${decoder.encoding.toUpperCase()}.`;
    throw new Fault('invalid_parameter', { detail, advice: ENCODE });
  }
}

const ENCODE =
  'Encode the body as UTF-8, or declare its charset, as in `content-type: application/json; charset=windows-1252`.';

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    const detail = 'The charset that the content type declares is not known.';
    throw new Fault('unsupported_media_type', { detail, advice: ENCODE });
  }
}

/** More than any valid body has: each costs much more memory, and time, than its bytes. */
const MAX_VALUES = 5_000;
/**
 * Deeper than any valid body. A few kilobytes of brackets would overflow the stack when serialized.
 */
export const MAX_DEPTH = 32;

/** Looks at the marks between the values first, so that hostile JSON is never parsed. */
export function parseJson(text: string): unknown {
  let [depth, values] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case COMMA:
        values += 1;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      default:
    }
    if (depth > MAX_DEPTH) throw tooDeep();
    if (values > MAX_VALUES) throw tooManyValues('values', MAX_VALUES);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw problem('json_invalid', ['body'], 'The body is not valid JSON', null);
  }
}

const tooDeep = () =>
  problem('too_deep', ['body'], `Input should not be nested over ${MAX_DEPTH} deep`, null);

export const tooManyValues = (what: string, max: number) =>
  problem('too_long', ['body'], `The body should have at most ${max} ${what}`, null);

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Index of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
