/**
 * Sentences of each built-in voice that are recorded, so that pages can play them without an agent
 * worker. `npm run record-voices` remakes the recordings.
 */
export const recordedSentences = (name: string): readonly string[] => [
  `Hello! I am ${name}, and I am speaking to you from your own machine.`,
  'Peter Piper picked a peck of pickled peppers.',
  'Oh, who knew the moon could look so blue?',
  'Your order has shipped. It should be with you on Thursday, before noon.',
  'One moment, please. Let me look that up for you.',
];

/** Path of the recording of a text in a voice; null: there is none. */
export function recordingOf({ id, name }: { id: string; name: string }, text: string) {
  const index = recordedSentences(name).indexOf(text);
  return index < 0 ? null : recordingPath(id, index);
}

/** Path of a recording, an Ogg file with Opus. */
export const recordingPath = (voiceId: string, index: number): string =>
  `/voices/${voiceId}/recordings/${index}`;
