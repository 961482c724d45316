import { describe, expect, test } from 'vitest';
import { advance } from '../../../../../workers/avatar/transport/mediaserver/track-reading.ts';

describe('the reading of a track', () => {
  test.each([
    ['begins when the track is not muted', 'idle', 'unmuted', 'reading', ['open']],
    ['goes on while the track is not muted', 'reading', 'unmuted', 'reading', []],
    ['does not begin while the track is muted', 'idle', 'muted', 'idle', []],
    ['goes on for a short time after a mute', 'reading', 'muted', 'fading', ['start_grace']],
    ['does not prolong that time', 'fading', 'muted', 'fading', []],
    ['goes on after a short mute', 'fading', 'unmuted', 'reading', ['cancel_grace']],
    ['ends after a long mute', 'fading', 'stopped', 'idle', ['cancel_grace', 'close']],
    ['ends with the track', 'reading', 'stopped', 'idle', ['close']],
    ['ends once', 'idle', 'stopped', 'idle', []],
    ['may begin again when the track was not readable', 'reading', 'failed', 'idle', []],
  ] as const)('%s', (_, from, event, state, effects) => {
    expect(advance(from, event)).toEqual({ state, effects });
  });
});
