/* A client that types before it can know that an agent listens. */
import { Room } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHAT_TOPIC } from '#protocol/room-terms.ts';
import { messagesOf } from '../../support/agents/endpoint-agent.ts';
import { NORA } from '../../support/api/build-app.ts';
import type { RunningService } from '../../support/processes/service.ts';
import { shareService } from '../../support/processes/shared-service.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const CALLS = 5;

let service: RunningService;
beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service?.stop());

test('a text typed right after joining is answered in every call', async ({ onTestFailed }) => {
  onTestFailed(async () => void process.stdout.write(await service.logOf('agent')));
  const { id: agent_id } = await service.make('/v1/agents', {
    name: FIRST_AVATAR.name,
    avatar_id: NORA,
    greeting: 'Hi.',
    system_prompt: 'The shop opens at nine.',
  });
  for (let count = 0; count < CALLS; count += 1) {
    type Opened = { id: string; livekit_url: string; livekit_token: string };
    const call = await service.make<Opened>('/v1/calls', { agent_id });
    const room = new Room();
    await room.connect(call.livekit_url, call.livekit_token, {
      autoSubscribe: false,
      dynacast: false,
    });

    await room.localParticipant!.sendText('When does the shop open?', { topic: CHAT_TOPIC });

    const texts = async () => (await messagesOf(service, call.id)).map(({ message }) => message);
    await expect.poll(texts).toEqual(['When does the shop open?', 'The shop opens at nine.']);
    await room.disconnect();
  }
});
