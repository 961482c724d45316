import { LONGEST_FILE_MINUTES, type ProblemName } from './own-sound.ts';

/** Explains each problem, and what to do. */
export const soundProblems: Record<ProblemName, string> = {
  denied:
    'Your microphone is blocked on this page. Allow it next to the address bar, then start it again.',
  missing: 'No microphone was found. Plug one in, then start it again.',
  in_use: 'The microphone could not be opened. Another program may be using it.',
  not_secure: 'Browsers allow the microphone on https pages and on localhost only.',
  lost: 'The microphone was unplugged or blocked.',
  not_sound: 'This browser cannot read audio from this file. Try WAV, MP3, Ogg or M4A.',
  too_long: `This file is too long. The limit is ${LONGEST_FILE_MINUTES} minutes.`,
  not_heard: 'The avatar did not start listening. Try again.',
  failed: 'Something went wrong. Try again. The browser’s console has the details.',
};
