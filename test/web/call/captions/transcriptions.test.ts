import { describe, expect, test } from 'vitest';
import type { Line } from '../../../../src/web/call/state/call-state.ts';
import {
  readTranscription,
  type Transcription,
} from '../../../../src/web/call/captions/transcriptions.ts';

function stream(
  pieces: string[],
  attributes: Record<string, string> = {},
  breaks = false,
): Transcription {
  return {
    info: { id: 'stream', attributes },
    async *[Symbol.asyncIterator]() {
      yield* pieces;
      if (breaks) throw new Error('the sender left');
    },
  };
}

const reports: Line[] = [];
const read = async (...[given, sender]: [Transcription, Line['sender']]) => {
  reports.length = 0;
  await readTranscription(given, sender, (line) => reports.push(line)).catch(() => {});
  return reports;
};

describe('transcriptions', () => {
  test('an agent’s line grows piece by piece, and is final when its stream ends', async () => {
    const lines = await read(
      stream(['Good ', 'morning.'], {
        'lk.segment_id': 'a',
        'lk.transcription_final': 'false',
      }),
      'ai',
    );

    expect(lines).toEqual([
      { id: 'a', sender: 'ai', text: 'Good ', isFinal: false },
      { id: 'a', sender: 'ai', text: 'Good morning.', isFinal: false },
      { id: 'a', sender: 'ai', text: 'Good morning.', isFinal: true },
    ]);
  });

  test('a user’s line is interim until it is marked final', async () => {
    const id = { 'lk.segment_id': 'u' };

    const guess = [
      ...(await read(stream(['How'], { ...id, 'lk.transcription_final': 'false' }), 'user')),
    ];
    const final = await read(stream(['How?'], { ...id, 'lk.transcription_final': 'true' }), 'user');

    expect(guess.at(-1)).toEqual({ id: 'u', sender: 'user', text: 'How', isFinal: false });
    expect(final.at(-1)).toEqual({ id: 'u', sender: 'user', text: 'How?', isFinal: true });
  });

  test('a line is final when its sender is lost', async () => {
    const lines = await read(stream(['Good mor'], {}, true), 'ai');

    expect(lines.at(-1)).toEqual({ id: 'stream', sender: 'ai', text: 'Good mor', isFinal: true });
  });

  test('blank text is no line', async () => {
    expect(await read(stream([' ', '']), 'ai')).toEqual([]);
  });
});
