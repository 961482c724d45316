import { EventEmitter } from 'node:events';
import { RoomEvent, type Room } from '@livekit/rtc-node';
import { beforeEach, describe, expect, test } from 'vitest';
import { watchReconnects } from '../../../../workers/avatar/transport/reconnects.ts';

let room: EventEmitter;
let told: string[];
beforeEach(() => {
  room = new EventEmitter();
  told = [];
  watchReconnects({
    room: room as unknown as Room,
    isAgent: (identity) => identity === 'agent',
    onAway: () => told.push('away'),
    onBack: () => told.push('back'),
  });
});

const leaves = (identity: string) => room.emit(RoomEvent.ParticipantDisconnected, { identity });

describe('a connection to a room', () => {
  test('that is made anew was away, each time', () => {
    for (const _ of [1, 2]) {
      room.emit(RoomEvent.Reconnecting);
      leaves('viewer');
      leaves('agent');
      room.emit(RoomEvent.ParticipantConnected, { identity: 'agent' });
      expect(told.at(-1)).toBe('away');
      room.emit(RoomEvent.Reconnected);
    }

    expect(told).toEqual(['away', 'back', 'away', 'back']);
  });

  test('that is resumed was not', () => {
    room.emit(RoomEvent.Reconnecting);
    leaves('viewer');
    room.emit(RoomEvent.Reconnected);

    expect(told).toEqual([]);
  });

  test('was not when the agent leaves by itself', () => {
    leaves('agent');
    room.emit(RoomEvent.Reconnecting);
    room.emit(RoomEvent.Reconnected);
    leaves('agent');

    expect(told).toEqual([]);
  });
});
