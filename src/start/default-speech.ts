import { noteInstalling, type SpeechPart } from '#shared/process/speech-installs.ts';
import { installHearing, lacksHearing } from './hearing.ts';
import { installNaturalVoice, lacksNaturalVoice } from './natural-voice.ts';
import type { SpeechInstall } from './speech-install.ts';

/** The parts that `installSpeech` will install. */
export const missingSpeech = (install: Pick<SpeechInstall, 'dataDir' | 'env'>): SpeechPart[] => [
  ...(lacksNaturalVoice(install) ? (['natural_voice'] as const) : []),
  ...(lacksHearing(install) ? (['speech_recognition'] as const) : []),
];

/** One after the other: hearing runs by the Python packages of the voice. */
export async function installSpeech(install: SpeechInstall): Promise<void> {
  const { dataDir, say } = install;
  try {
    await noteInstalling(dataDir, missingSpeech(install));
    await installNaturalVoice(install);
    await noteInstalling(dataDir, missingSpeech(install).filter(isOfHearing));
    await installHearing(install);
    await noteInstalling(dataDir, []);
  } catch (error) {
    say(`Speech not installed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A voice that could not be installed is not tried again. */
const isOfHearing = (part: SpeechPart): boolean => part === 'speech_recognition';
