import { describe, expect, test } from 'vitest';
import { isRoutine } from '../../../src/start/processes/routine-lines.ts';

const READING = 'error reading data channel';

describe('a line of a program', () => {
  test.each([
    [READING, 'dtls timeout: read/write timeout: context deadline exceeded'],
    [
      READING,
      '[0x13959aa62008] abort chunk, with following errors: (User Initiated Abort: Close called)',
    ],
    ['error writing to request sink', 'stream closed'],
    ['error reading stream: Error: Disconnected while receiving', undefined],
    [
      'error reading stream: Error: stream closed abnormally: Participant agent-1 unexpectedly disconnected in the middle of sending data',
      undefined,
    ],
  ])('is routine when a participant leaves: %s, %s', (msg, error) => {
    expect(isRoutine({ level: 'warn', msg, error })).toBe(true);
  });

  test.each([
    { name: 'AbortError', isQuiet: true },
    { name: 'TypeError', isQuiet: false },
  ])('is routine when the room ended meanwhile: $name', ({ name, isQuiet }) => {
    const msg = 'Failed to update agent state attributes';

    expect(isRoutine({ level: 50, msg, err: { name } })).toBe(isQuiet);
  });

  test.each([
    [READING, 'short buffer'],
    ['failed to detach data channel', 'dtls timeout: read/write timeout: deadline'],
    ['could not start session', 'stream closed'],
    ['error reading stream: Error: payload over the limit', undefined],
    ['too much ext packets', undefined],
  ])('is not routine otherwise: %s, %s', (msg, error) => {
    expect(isRoutine({ level: 'warn', msg, error })).toBe(false);
  });
});
