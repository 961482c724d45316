import { EventEmitter } from 'node:events';
import { RoomEvent, type Room } from '@livekit/rtc-node';
import { beforeEach, describe, expect, test } from 'vitest';
import { watchReconnects } from '../../../../../workers/avatar/transport/mediaserver/reconnects.ts';

let room: EventEmitter;
let calls: string[];
beforeEach(() => {
  room = new EventEmitter();
  calls = [];
  watchReconnects({
    room: room as unknown as Room,
    isAgent: (identity) => identity === 'agent',
    onAway: () => calls.push('away'),
    onBack: () => calls.push('back'),
  });
});

const leaves = (identity: string) => room.emit(RoomEvent.ParticipantDisconnected, { identity });

describe('reconnect watch', () => {
  test('reports each full reconnect', () => {
    for (const _ of [1, 2]) {
      room.emit(RoomEvent.Reconnecting);
      leaves('viewer');
      leaves('agent');
      room.emit(RoomEvent.ParticipantConnected, { identity: 'agent' });
      expect(calls.at(-1)).toBe('away');
      room.emit(RoomEvent.Reconnected);
    }

    expect(calls).toEqual(['away', 'back', 'away', 'back']);
  });

  test('ignores a resumed connection', () => {
    room.emit(RoomEvent.Reconnecting);
    leaves('viewer');
    room.emit(RoomEvent.Reconnected);

    expect(calls).toEqual([]);
  });

  test('ignores an agent that leaves by itself', () => {
    leaves('agent');
    room.emit(RoomEvent.Reconnecting);
    room.emit(RoomEvent.Reconnected);
    leaves('agent');

    expect(calls).toEqual([]);
  });
});
