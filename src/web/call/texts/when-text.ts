/** A time from now in the words of a language, such as “in 5 minutes”. */
export function whenText(language: string, seconds: number): string {
  const words = new Intl.RelativeTimeFormat(language);
  if (seconds < 90) return words.format(seconds, 'second');
  if (seconds < 90 * 60) return words.format(Math.ceil(seconds / 60), 'minute');
  return words.format(Math.ceil(seconds / 3_600), 'hour');
}
