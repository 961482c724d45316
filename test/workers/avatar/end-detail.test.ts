import { expect, test } from 'vitest';
import { LeftRoom } from '../../../workers/avatar/transport/transport.ts';
import { MemoryRoom } from '../../support/picture/memory-room.ts';
import { performInMemory } from '../../support/picture/session.ts';
import { settle } from '../../support/test-clock.ts';

test('a session keeps the reason of its end when the room refuses it afterwards', async () => {
  const joining = Promise.withResolvers<void>();
  const { transport, ended, session } = performInMemory(1, (clock) =>
    Object.assign(new MemoryRoom(clock), { onJoin: () => joining.promise }),
  );

  session.end('time_limit');
  joining.reject(new LeftRoom('room_refused', { detail: 'unreachable' }));
  await session.close();
  await settle();

  expect([ended(), session.endDetail]).toEqual(['time_limit', undefined]);
  expect(transport.isClosed).toBe(true);
});
