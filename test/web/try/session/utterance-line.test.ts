import { expect, test } from 'vitest';
import { recordedSentences } from '#protocol/voice/recorded-sentences.ts';
import { UtteranceLine } from '../../../../src/web/try/session/utterance-line.ts';

test('asks for a recorded text as a whole, and for others sentence by sentence', async () => {
  const asked: [string, string][] = [];
  const done = Promise.withResolvers<void>();
  const line = new UtteranceLine(
    async (sentence, voice) => {
      asked.push([sentence, voice]);
      return new Int16Array(160);
    },
    {
      ready: async () => {},
      open: async () => ({ write: async () => {}, close: async () => line.finished(heard) }),
      onGaveUp: () => {},
    },
    (event) => event.type === 'finished' && event.id === 2 && done.resolve(),
  );
  const heard = { heardSeconds: 1, isInterrupted: false };
  const [greeting = ''] = recordedSentences('Nora');

  line.say(1, greeting, 'nora');
  line.say(2, 'Hello! How are you?', 'theo');
  await done.promise;

  expect(asked).toEqual([
    [greeting, 'nora'],
    ['Hello!', 'theo'],
    ['How are you?', 'theo'],
  ]);
});
