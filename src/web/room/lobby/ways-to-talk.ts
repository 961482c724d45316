import type { Agent } from '../call/chat.ts';
import { canRecognise } from '../conversation/recognition.ts';

/** `dictate`: the agent reads only, and the browser writes down what is said to it. */
export type WayToTalk = 'speak' | 'dictate' | 'write';

export function wayToTalk({ hears }: Pick<Agent, 'hears'>, page: object): WayToTalk {
  if (hears) return 'speak';
  return canRecognise(page) ? 'dictate' : 'write';
}

/** What a person is told before the call: `note` about the microphone, where it is not the way. */
export const wayWords: Record<WayToTalk, (name: string) => { lede: string; note: string | null }> =
  {
    speak: (name) => ({
      lede: `Talk or write, and ${name} answers you, face to face.`,
      note: null,
    }),
    dictate: (name) => ({
      lede: `Write, and ${name} answers you, face to face.`,
      note: `${name} does not hear you, but reads what you write. Or press Dictate in the call: then your browser writes down what you say.`,
    }),
    write: (name) => ({
      lede: `Write, and ${name} answers you, face to face.`,
      note: `${name} does not hear you, but reads what you write. No microphone is needed.`,
    }),
  };
