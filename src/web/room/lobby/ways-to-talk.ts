import { canRecognise } from '../../call/chat/recognition.ts';
import type { Agent } from '../../call/connection/chat-service.ts';
import type { RoomWords } from '../words/room-words.ts';

/** `dictate`: the agent only reads, and the browser transcribes speech. */
export type WayToTalk = 'speak' | 'dictate' | 'write';

export function wayToTalk({ hears }: Pick<Agent, 'hears'>, page: object): WayToTalk {
  if (hears) return 'speak';
  return canRecognise(page) ? 'dictate' : 'write';
}

type WayTexts = Record<WayToTalk, (name: string) => { lede: string; note: string | null }>;

/** Instructions before the call. `note` replaces the microphone settings. */
export const wayTexts = (words: RoomWords): WayTexts => {
  const deafNote = (name: string, advice: string) =>
    words.cannotHear(name) + words.betweenSentences + advice;
  return {
    speak: (name) => ({ lede: words.talk(name), note: null }),
    dictate: (name) => ({
      lede: words.typeOnly(name),
      note: deafNote(name, words.dictateInstead),
    }),
    write: (name) => ({ lede: words.typeOnly(name), note: deafNote(name, words.noMicrophone) }),
  };
};
