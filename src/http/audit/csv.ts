/** One line of a CSV file (RFC 4180), without its line break. */
export const toCsvLine = (values: readonly (string | null)[]): string =>
  values.map((value) => toField(value ?? '')).join(',');

function toField(text: string): string {
  // Spreadsheets run a text that begins like this as a formula.
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
