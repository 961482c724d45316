import { LANGUAGES } from '#protocol/languages.ts';
import type { Abilities } from '../../../clients/typescript/src/generated/models.ts';

/**
 * Languages that an agent speaks here. An external API may speak any; else those of the service.
 * All until the abilities of the service are known.
 */
export const spokenLanguages = (
  hasOwnVoice: boolean,
  service: Pick<Abilities, 'languages'> | undefined,
): readonly string[] => (hasOwnVoice ? LANGUAGES : (service?.languages ?? LANGUAGES));
