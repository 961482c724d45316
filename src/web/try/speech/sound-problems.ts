import { LONGEST_FILE_MINUTES, type ProblemName } from './own-sound.ts';

/** What went wrong with a sound of the person's own, and what to do about it. */
export const soundProblems: Record<ProblemName, string> = {
  denied:
    'The microphone is not allowed on this page. Allow it beside the address above, then start it again.',
  no_microphone: 'No microphone was found. Plug one in, then start it again.',
  in_use: 'The microphone cannot be opened: another program may be using it.',
  not_secure:
    'A browser gives its microphone only to https pages, and to pages of this very machine.',
  lost: 'The microphone is gone: it was unplugged, or taken from this page.',
  not_sound: 'This browser finds no sound that it can read in this file. Try WAV, MP3, Ogg or M4A.',
  too_long: `That is too long: at most ${LONGEST_FILE_MINUTES} minutes are spoken.`,
  not_heard: 'The avatar did not listen. Start it again.',
  failed: 'That did not work. Start it again; the browser’s console says more.',
};
