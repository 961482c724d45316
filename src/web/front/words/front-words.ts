import type { Texts } from '../../call/words/languages.ts';
import { words } from './en.ts';

/** Texts of the front page for visitors. What leads to the console and the docs is in English. */
export type FrontWords = typeof words;

export const frontTexts: Texts<FrontWords> = {
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
