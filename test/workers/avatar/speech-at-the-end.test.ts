/* Ends of sessions in mid-speech: an agent waits for a report on each segment. */
import { describe, expect, test } from 'vitest';
import type { RoomSignal } from '#protocol/room-signals.ts';
import { performInMemory } from '../../support/picture/session.ts';
import { pcm, tone } from '../../support/sound/pcm.ts';

const format = { sampleRate: 16_000, channels: 1 };
const BYE: RoomSignal = { topic: null, means: 'end', how: { format: 'text', prefix: 'BYE' } };

/** 0.4 s of a segment were played; a second segment waits. */
async function speaking() {
  const stage = performInMemory(1, undefined, { signals: [BYE] });
  await stage.session.started;
  for (const stream of ['a', 'b']) {
    stage.transport.listener!.begin(stream, format);
    stage.transport.listener!.chunk(stream, pcm(tone(16_000, 1000)));
  }
  await stage.clock.pass(400);
  return stage;
}

type Stage = Awaited<ReturnType<typeof speaking>>;

describe('a session in mid-speech', () => {
  test.each<[string, (stage: Stage) => void]>([
    ['is ended by its client', ({ session }) => session.end('ended_by_client')],
    ['reaches its time limit', ({ session }) => session.end('time_limit')],
    ['ends with its worker', ({ session }) => session.end('service_stopped')],
    ['is ended by a packet', ({ transport }) => transport.listener!.packet('', Buffer.from('BYE'))],
  ])('%s: each segment is reported once, as interrupted where it was', async (_, end) => {
    const stage = await speaking();

    end(stage);
    await stage.session.close();

    expect(stage.transport.finished).toEqual([
      { positionSeconds: expect.closeTo(0.4, 1), interrupted: true },
      { positionSeconds: 0, interrupted: true },
    ]);
    expect(stage.clock.waiting).toBe(0);
  });

  test('is ended when it is released for a successor: reported where it fell silent', async () => {
    const { clock, transport, session } = await speaking();
    void session.release(0);
    await clock.pass(2_000);

    session.end('ended_by_client');
    await session.close();

    expect(transport.finished).toEqual([
      { positionSeconds: expect.closeTo(0.4, 1), interrupted: true },
      { positionSeconds: 0, interrupted: true },
    ]);
  });

  test.each<[string, (stage: Stage) => unknown]>([
    ['moves to another worker', ({ session }) => session.drop()],
    ['is replaced in its seat', ({ transport }) => transport.leave('replaced')],
    [
      'loses its agent',
      async ({ clock, transport }) => {
        transport.listener!.present({ agentHere: false, participants: 1 });
        transport.listener!.clear();
        transport.calls = [];
        await clock.pass(10_000);
      },
    ],
  ])('%s: nothing is reported', async (_, end) => {
    const stage = await speaking();

    await end(stage);
    await stage.session.ended;
    await stage.session.close();

    expect(stage.transport.finished).toEqual([]);
  });
});
