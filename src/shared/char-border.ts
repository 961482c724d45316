/** Moves a cut out of a surrogate pair. */
export const charBorder = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + 1 : at;
