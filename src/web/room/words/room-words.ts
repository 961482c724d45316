import type { Texts } from '../../call/words/languages.ts';
import { words } from './en.ts';

/** Texts of the room page, which include those of a call. */
export type RoomWords = typeof words;

export const roomTexts: Texts<RoomWords> = {
  en: words,
  others: {
    de: () => import('./de.ts'),
    fr: () => import('./fr.ts'),
    es: () => import('./es.ts'),
    it: () => import('./it.ts'),
    pt: () => import('./pt.ts'),
    nl: () => import('./nl.ts'),
    pl: () => import('./pl.ts'),
    ja: () => import('./ja.ts'),
    zh: () => import('./zh.ts'),
  },
};
