import { canRecognise } from '../../call/chat/recognition.ts';
import type { Agent } from '../../call/connection/chat-service.ts';
import { deafNote, deafText, talkText } from '../../call/texts/talk-texts.ts';

/** `dictate`: the agent only reads, and the browser transcribes speech. */
type WayToTalk = 'speak' | 'dictate' | 'write';

export function wayToTalk({ hears }: Pick<Agent, 'hears'>, page: object): WayToTalk {
  if (hears) return 'speak';
  return canRecognise(page) ? 'dictate' : 'write';
}

/** Instructions before the call. `note` replaces the microphone settings. */
export const wayTexts: Record<WayToTalk, (name: string) => { lede: string; note: string | null }> =
  {
    speak: (name) => ({ lede: talkText(name), note: null }),
    dictate: (name) => ({
      lede: `Type, and ${name} answers face to face.`,
      note: `${deafText(name)} To use your voice, press Dictate in the call: your browser turns your speech into text.`,
    }),
    write: (name) => ({
      lede: `Type, and ${name} answers face to face.`,
      note: deafNote(name),
    }),
  };
