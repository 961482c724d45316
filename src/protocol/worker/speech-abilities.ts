import { baseLanguage } from '../languages.ts';

/** Ability of an agent worker whose speech model this machine is too slow for. */
export const TOO_SLOW_TO_HEAR = 'too_slow_to_hear';

/** Ability of an agent worker with its own speech recognition. `language` null: of any language. */
export const hearsAbility = (language: string | null): string =>
  language === null ? 'hears' : `hears:${language}`;

export const canHear = (abilities: readonly string[], language: string): boolean =>
  [null, baseLanguage(language)].some((known) => abilities.includes(hearsAbility(known)));
