import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameError, readFrame, writeFrame, type PipecatFrame } from '#protocol/pipecat/frames.ts';

const fixtures = JSON.parse(readFileSync('test/fixtures/pipecat/frames.json', 'utf8')) as Record<
  PipecatFrame['type'],
  string
>;

/** The frames in the fixtures. */
const FRAMES: PipecatFrame[] = [
  { type: 'text', text: 'Grüß dich' },
  { type: 'audio', audio: Uint8Array.of(1, 0, 255, 127), sampleRate: 24_000, channels: 1 },
  { type: 'transcription', text: 'hello', userId: 'ada', timestamp: '2026-01-01T12:00:00+00:00' },
  { type: 'message', data: '{"label": "rtvi-ai", "type": "bot-stopped-speaking"}' },
  { type: 'interruption' },
];

const fromHex = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const anyFrame: fc.Arbitrary<PipecatFrame> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'grapheme' }) }),
  fc.record({
    type: fc.constant('audio' as const),
    audio: fc.uint8Array(),
    sampleRate: fc.nat(),
    channels: fc.nat(),
  }),
  fc.record({
    type: fc.constant('transcription' as const),
    text: fc.string({ unit: 'grapheme' }),
    userId: fc.string(),
    timestamp: fc.string(),
  }),
  fc.record({ type: fc.constant('message' as const), data: fc.string({ unit: 'grapheme' }) }),
  fc.constant({ type: 'interruption' as const }),
);

describe('frames of Pipecat', () => {
  test.each(FRAMES)('$type is read as pipecat-ai wrote it', (frame) => {
    expect(readFrame(fromHex(fixtures[frame.type]))).toEqual(frame);
  });

  const python = `${process.env['TROUPE_PYTHON_CLIENTS']}/pipecat/bin/python`;
  const withPython = test.skipIf(!existsSync(python)); // Python is optional outside CI.
  withPython('are those of the installed pipecat-ai', () => {
    const output = execFileSync(python, ['test/clients/pipecat/frames.py'], {
      input: FRAMES.map((frame) => `${toHex(writeFrame(frame))}\n`).join(''),
      stdio: ['pipe', 'pipe', 'ignore'],
      encoding: 'utf8',
    });
    const { written, read } = JSON.parse(output) as { written: unknown; read: unknown };

    expect(written).toEqual(fixtures);
    expect(read).toEqual([
      { type: 'TextFrame', text: 'Grüß dich' },
      { type: 'InputAudioRawFrame', audio: '0100ff7f', sample_rate: 24_000, num_channels: 1 },
      {
        type: 'TranscriptionFrame',
        text: 'hello',
        user_id: 'ada',
        timestamp: '2026-01-01T12:00:00+00:00',
      },
      {
        type: 'InputTransportMessageFrame',
        message: { label: 'rtvi-ai', type: 'bot-stopped-speaking' },
      },
      { type: 'InterruptionFrame' },
    ]);
  });

  test('are read as they were written', () => {
    fc.assert(
      fc.property(anyFrame, (frame) => {
        expect(readFrame(writeFrame(frame))).toEqual(frame);
      }),
    );
  });

  test('of a type added later are no error', () => {
    expect(readFrame(fromHex('3203ffffff'))).toBeNull();
    expect(readFrame(new Uint8Array())).toBeNull();
  });

  test('with a field added later are read without it', () => {
    // Text `a`, then a varint, a fixed32 and a fixed64.
    const fields = '1a016130053d00000000410000000000000000';

    expect(readFrame(fromHex(`0a${(fields.length / 2).toString(16)}${fields}`))).toEqual({
      type: 'text',
      text: 'a',
    });
  });

  test.each([
    ['cut off', fixtures.audio.slice(0, -10)],
    ['longer than the message', '2aff01'],
    ['an endless number', 'ff'.repeat(20)],
    ['a group', '0b'.repeat(100_000)],
    ['no UTF-8', '0a041a02fffe'],
  ])('%s is refused', (_, hex) => {
    expect(() => readFrame(fromHex(hex))).toThrow(FrameError);
  });

  test('of any bytes are read or refused', () => {
    // Half of the samples begin like a real frame.
    const heads = fc.constantFrom('', ...Object.values(fixtures).map((hex) => hex.slice(0, 40)));
    fc.assert(
      fc.property(heads, fc.uint8Array({ maxLength: 200 }), (head, tail) => {
        const bytes = Buffer.concat([fromHex(head), tail]);
        let error: unknown = null;
        try {
          readFrame(bytes);
        } catch (thrown) {
          error = thrown;
        }
        expect(error === null || error instanceof FrameError).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
