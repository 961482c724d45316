import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { venvPython } from '#shared/process/venv-python.ts';
import type { CallBrief } from '#protocol/call-brief.ts';
import { hasBuiltInVoice } from '#protocol/languages.ts';
import { builtInVoice, type BuiltInVoice } from '#protocol/voice/built-in-voices.ts';
import { endpointVoice } from './endpoint.ts';
import { FliteVoice } from './flite.ts';
import { HibariVoice } from './hibari.ts';
import { readEnglish } from '../speech/reading/english.ts';
import { firstThatSpeaks, mute, type Voice } from './voice.ts';

type VoicesOptions = {
  /** Folder of the natural voice, installed by `npm start`; null: disabled. */
  naturalVoiceFolder: string | null;
  clock: Clock;
  log: Log;
};

/** The voices of this process, shared by its calls. */
export class Voices {
  readonly #options: VoicesOptions;
  readonly #flite = new FliteVoice();
  #hibari: HibariVoice | null = null;

  constructor(options: VoicesOptions) {
    this.#options = options;
    this.#flite.warmUp();
    this.#lookForNaturalVoice();
  }

  /** The best voice available now, with fallbacks. */
  voiceOf(brief: Pick<CallBrief, 'tts' | 'language' | 'voice'>): Voice {
    const { clock, log } = this.#options;
    const embedded = hasBuiltInVoice(brief.language)
      ? this.#embedded(builtInVoice(brief.voice)).map((voice) => reading(voice, brief.language))
      : [];
    const voices: Voice[] = [
      ...(brief.tts ? [endpointVoice(brief.tts, clock)] : []),
      ...embedded,
      mute,
    ];
    if (!brief.tts && embedded.length === 0)
      log.warn(
        { language: brief.language },
        'no voice for this language: the agent is shown as text only; configure a `tts` for it',
      );
    return firstThatSpeaks(voices as [Voice, ...Voice[]], (voice, error) =>
      log.error({ err: error, voice: voice.name }, 'voice failed; using the next one'),
    );
  }

  async close(): Promise<void> {
    this.#hibari?.close();
    await this.#flite.close();
  }

  #embedded(voice: BuiltInVoice): Voice[] {
    this.#lookForNaturalVoice();
    return [...(this.#hibari?.isReady ? [this.#hibari.as(voice)] : []), this.#flite.as(voice)];
  }

  /** Installation may finish while this process runs. */
  #lookForNaturalVoice(): void {
    const { naturalVoiceFolder: folder, clock, log } = this.#options;
    if (this.#hibari || folder === null || !existsSync(path.join(folder, 'ready'))) return;
    this.#hibari = new HibariVoice(venvPython(folder), clock, log);
  }
}

/** The built-in voices know few abbreviations and numbers. Those of endpoints have own rules. */
const reading = (voice: Voice, language: string): Voice => ({
  name: voice.name,
  speak: (sentence, signal) => voice.speak(readEnglish(sentence, language), signal),
});
