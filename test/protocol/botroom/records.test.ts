import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  MAX_RECORD_BYTES,
  readRecord,
  RECORD,
  RecordError,
  writeRecord,
  type RecordName,
} from '../../../src/protocol/botroom/records.ts';

describe('botroom records', () => {
  test('have the layout of the published client', () => {
    const record = writeRecord('audio', { sample_rate: 16_000 }, Uint8Array.of(1, 2));

    expect(Buffer.from(record).toString('hex')).toBe(
      `0000001c0100000015${Buffer.from('{"sample_rate":16000}').toString('hex')}0102`,
    );
  });

  test('are read as they were written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(RECORD) as RecordName[])),
        fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 5 }),
        fc.uint8Array({ maxLength: 2_000 }),
        (type, header, blob) => {
          const written = JSON.parse(JSON.stringify(header));
          const { blob: read, ...fields } = readRecord(writeRecord(type, header, blob));
          expect(fields).toEqual({ type, header: written });
          expect([...read]).toEqual([...blob]);
        },
      ),
    );
  });

  test('need nothing that a browser lacks', () => {
    vi.stubGlobal('Buffer', undefined);
    onTestFinished(() => void vi.unstubAllGlobals());

    const record = readRecord(writeRecord('caption', { text: 'Grüße' }, Uint8Array.of(7)));

    expect(record).toEqual({
      type: 'caption',
      header: { text: 'Grüße' },
      blob: Uint8Array.of(7),
    });
  });

  test.each([
    ['ends early', writeRecord('video', {}, new Uint8Array(9)).subarray(0, 12), /length/],
    ['is shorter than its prefix', new Uint8Array(8), /too short/],
    ['has an unknown type', Uint8Array.of(0, 0, 0, 5, 0x7f, 0, 0, 0, 0), /unknown/],
    ['is longer than the limit', new Uint8Array(MAX_RECORD_BYTES + 1), /too long/],
    ['has a header beyond its end', Uint8Array.of(0, 0, 0, 5, 2, 0, 0, 0, 1), /longer/],
    ['has a header beyond the limit', Uint8Array.of(0, 0, 0, 5, 2, 0, 1, 0, 0), /header is too/],
    ['has a header that is not JSON', Uint8Array.of(0, 0, 0, 6, 2, 0, 0, 0, 1, 0x7b), /JSON/],
    ['has a header that is a list', Uint8Array.of(0, 0, 0, 7, 2, 0, 0, 0, 2, 91, 93), /object/],
    ['has a header that is not UTF-8', Uint8Array.of(0, 0, 0, 6, 2, 0, 0, 0, 1, 255), /JSON/],
  ])('a record that %s is refused with the reason', (_what, message, reason) => {
    expect(() => readRecord(message)).toThrow(reason);
  });

  test('any bytes are a record or an error with a reason', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (message) => {
        try {
          readRecord(message);
        } catch (error) {
          expect(error).toBeInstanceOf(RecordError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
