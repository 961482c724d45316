import type { VoiceName } from './flite.ts';

/** Factors that turn the natural voice into another speaker. */
export type Speaker = { pitch: number; range: number; formants: number; pace: number };

/** A voice that agent workers bring along. */
export type BuiltInVoice = {
  id: string;
  name: string;
  sex: 'female' | 'male';
  language: 'en';
  /** Null: the natural voice as it is. */
  speaker: Speaker | null;
  /** Its small stand-in. */
  small: VoiceName;
};

/** The first is the default. */
export const BUILT_IN_VOICES: readonly [BuiltInVoice, ...BuiltInVoice[]] = [
  { id: 'nora', name: 'Nora', sex: 'female', language: 'en', speaker: null, small: 'slt' },
  {
    id: 'ines',
    name: 'Ines',
    sex: 'female',
    language: 'en',
    speaker: { pitch: 0.84, range: 0.85, formants: 0.94, pace: 0.94 },
    small: 'slt',
  },
  {
    id: 'theo',
    name: 'Theo',
    sex: 'male',
    language: 'en',
    speaker: { pitch: 0.63, range: 0.85, formants: 0.87, pace: 1.03 },
    small: 'rms',
  },
  {
    id: 'samuel',
    name: 'Samuel',
    sex: 'male',
    language: 'en',
    speaker: { pitch: 0.54, range: 0.75, formants: 0.81, pace: 0.95 },
    small: 'awb',
  },
];

/** The default for an unknown id, such as that of a newer version. */
export const builtInVoice = (id: string | null | undefined): BuiltInVoice =>
  BUILT_IN_VOICES.find((voice) => voice.id === id) ?? BUILT_IN_VOICES[0];
