/* The languages of the pages for visitors. */

const OTHERS = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja', 'zh'] as const;

/** Loaded when a visitor wants it. English is part of each page. */
type OtherLanguage = (typeof OTHERS)[number];
export type Language = 'en' | OtherLanguage;

/** The first wanted language that there is. Regional forms count as their language. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split(/[-_]/)[0];
    const language = (['en', ...OTHERS] as const).find((each) => each === base);
    if (language) return language;
  }
  return 'en';
}

/** The texts of one part of the pages, by language. */
export type Texts<Words> = {
  en: Words;
  others: Record<OtherLanguage, () => Promise<{ words: Words }>>;
};

/** English if the texts cannot be loaded. */
export async function loadWords<Words>(
  language: Language,
  { en, others }: Texts<Words>,
): Promise<Words> {
  if (language === 'en') return en;
  try {
    return (await others[language]()).words;
  } catch (error) {
    console.warn(`texts in ${language} not loaded`, error);
    return en;
  }
}
