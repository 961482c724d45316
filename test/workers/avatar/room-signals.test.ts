import { describe, expect, test } from 'vitest';
import type { RoomSignal } from '#protocol/room-signals.ts';
import { meaningOf } from '../../../workers/avatar/room-signals.ts';

const end: RoomSignal = {
  topic: null,
  means: 'end',
  how: { format: 'json', match: { type: 'END' } },
};
const named: RoomSignal = {
  topic: 'app',
  means: 'emotion',
  how: { format: 'json', match: { kind: 'mood', 'about.who': 'face' }, value: 'about.mood' },
};
const prefixed: RoomSignal = {
  topic: 'control',
  means: 'emotion',
  how: { format: 'text', prefix: 'emotion:' },
};
const allSignals = [end, named, prefixed];

const read = (topic: string, packet: string | object, signals = allSignals) =>
  meaningOf(
    signals,
    topic,
    Buffer.from(typeof packet === 'string' ? packet : JSON.stringify(packet)),
  );

describe('room signals', () => {
  test('match JSON values, on any topic or on a given one', () => {
    const mood = { kind: 'mood', about: { who: 'face', mood: 'joy' }, extra: 1 };

    expect(read('', { type: 'END', at: 5 })).toEqual({ means: 'end' });
    expect(read('anything', { type: 'END' })).toEqual({ means: 'end' });
    expect(read('app', mood)).toEqual({ means: 'emotion', emotion: 'joy' });
    expect(read('other', mood)).toBeNull();
  });

  test('match a text prefix', () => {
    expect(read('control', 'emotion:happy')).toEqual({ means: 'emotion', emotion: 'happy' });
    expect(read('control', ' emotion:happy')).toBeNull();
  });

  test.each([
    ['invalid JSON', 'app', '{"type":'],
    ['JSON that is not an object', 'app', 'null'],
    ['another value', 'app', { type: 'BEGIN' }],
    ['a value of another type', 'app', { type: ['END'] }],
    ['one of two values', 'app', { kind: 'mood', about: { mood: 'joy' } }],
    ['no emotion', 'app', { kind: 'mood', about: { who: 'face' } }],
    ['an emotion that is not a string', 'app', { kind: 'mood', about: { who: 'face', mood: 3 } }],
    ['an empty emotion', 'control', 'emotion:'],
    ['an empty packet', '', ''],
  ])('ignore %s', (_, topic, packet) => {
    expect(read(topic, packet)).toBeNull();
  });

  test('ignore bytes that are not text', () => {
    expect(meaningOf(allSignals, 'control', Uint8Array.of(0xff, 0xfe, 0x00))).toBeNull();
  });

  test('ignore inherited properties', () => {
    const how = { format: 'json', match: {}, value: 'constructor.name' } as const;

    expect(read('', {}, [{ topic: null, means: 'emotion', how }])).toBeNull();
  });

  test('ignore all packets if none are configured', () => {
    expect(read('', { type: 'END' }, [])).toBeNull();
  });
});
