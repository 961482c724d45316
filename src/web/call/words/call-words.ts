import type { Texts } from './languages.ts';
import { words } from './en.ts';

/** Texts of a call, in the language of its visitor. */
export type CallWords = typeof words;

export const callTexts: Texts<CallWords> = {
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
