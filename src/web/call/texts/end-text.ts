import type { CallWords } from '../words/call-words.ts';

/** Explains why a call ended. A reason that a newer service has is not named. */
export const endText = ({ endings, ended }: CallWords, reason: string, name: string): string =>
  isNamed(endings, reason) ? endings[reason](name) : ended;

const isNamed = <Names extends object>(names: Names, name: PropertyKey): name is keyof Names =>
  Object.hasOwn(names, name);
