import { expect, test } from 'vitest';
import { spokenLanguages } from '../../../../src/web/console/agents/spoken-languages.ts';

const service = { languages: ['en', 'en-GB'] };

test.each([
  ['an agent with an external API for speech speaks any language', true, service, 'pl', true],
  ['another speaks those of the service', false, service, 'en-GB', true],
  ['and no other', false, service, 'pl', false],
  ['nothing is refused before the abilities are known', false, undefined, 'pl', true],
])('%s', (_, hasOwnVoice, abilities, language, isSpoken) => {
  expect(spokenLanguages(hasOwnVoice, abilities).includes(language)).toBe(isSpoken);
});
