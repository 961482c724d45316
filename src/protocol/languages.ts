/** Languages that an agent may have. */
export const LANGUAGES =
  'ar bn bg zh cs da nl en en-AU en-GB en-US fi fr fr-CA fr-FR de el hi hu id it ja kk ko ms no pl pt pt-BR pt-PT ro ru sk es sv tr uk ur vi'.split(
    ' ',
  );

/** `de-AT` becomes `de`. */
export const baseLanguage = (language: string): string =>
  language.toLowerCase().split(/[-_]/)[0] ?? '';

/** Whether the voice that agent workers bring along speaks it. */
export const hasBuiltInVoice = (language: string): boolean => baseLanguage(language) === 'en';
