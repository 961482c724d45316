import type { SpeechPart } from '#shared/process/speech-installs.ts';

/** `built_in`: of the agent worker. `model` null: the worker's own. */
export type ModelSource =
  | { by: 'external_api' | 'service' | 'ollama'; model: string }
  | { by: 'built_in'; model: null };

/** The abilities of an agent in a call. */
export type Abilities = {
  /** Null: it reads typed text only. */
  hears: ModelSource | null;
  /** Null: it answers in the words of its files and instructions. */
  thinks: ModelSource | null;
  speaks: ModelSource;
  /** Whether it looks at the user's camera. */
  sees: boolean;
  /** The languages that its voice speaks. */
  languages: readonly string[];
  /** Parts that `npm start` is installing for an agent like this. */
  installing: readonly SpeechPart[];
};
