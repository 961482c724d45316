import text from './style.css?inline';

let sheet: CSSStyleSheet | null = null;

/** One sheet for all elements of the page, which policies without `unsafe-inline` allow. */
export function style(): CSSStyleSheet {
  if (sheet) return sheet;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
