import type { Agent } from '../connection/chat-service.ts';
import { canRecognise } from '../chat/recognition.ts';

/** `dictate`: the agent only reads, and the browser transcribes speech. */
type WayToTalk = 'speak' | 'dictate' | 'write';

export function wayToTalk({ hears }: Pick<Agent, 'hears'>, page: object): WayToTalk {
  if (hears) return 'speak';
  return canRecognise(page) ? 'dictate' : 'write';
}

/** Instructions before the call. `note` replaces the microphone settings. */
export const wayTexts: Record<WayToTalk, (name: string) => { lede: string; note: string | null }> =
  {
    speak: (name) => ({
      lede: `Talk or type, and ${name} answers face to face.`,
      note: null,
    }),
    dictate: (name) => ({
      lede: `Type, and ${name} answers face to face.`,
      note: `${name} cannot hear you, but reads what you type. To use your voice, press Dictate in the call: your browser turns your speech into text.`,
    }),
    write: (name) => ({
      lede: `Type, and ${name} answers face to face.`,
      note: `${name} cannot hear you, but reads what you type. You need no microphone.`,
    }),
  };
