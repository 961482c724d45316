import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PlanName } from '../../../src/accounts/plan.ts';
import { noRooms } from '../../../src/rooms/no-rooms.ts';
import { changePlan, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
let agentId: string;

beforeAll(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  agentId = (await addAgent(service)).id;
});
afterEach(async () => {
  await usePlan('unlimited');
  const { data } = (await service.call('GET', '/v1/sessions?status=to_start&limit=50')).json();
  for (const { id } of data) await service.call('POST', `/v1/sessions/${id}/end`);
});
afterAll(() => service.close());

const usePlan = (plan: PlanName) => changePlan(service, plan);

describe.each(['/v1/mediaserver-rooms', '/v1/livekit-rooms'])('POST %s', (path) => {
  const mint = (payload: object) => service.call('POST', path, { payload });

  test.each(['growth', 'scale', 'unlimited'] as const)(
    'on the plan %s opens a call',
    async (plan) => {
      await usePlan(plan);
      const viewerFields = {
        user_name: 'Zoë',
        user_email: 'zoe@example.com',
        tags: { shop: '17' },
      };

      const reply = await mint({ agent_id: agentId, ...viewerFields });

      expect(reply.statusCode).toBe(201);
      const body = reply.json();
      expect(body).toMatchObject({
        agent_id: agentId,
        status: { type: 'to_start' },
        mediaserver_url: 'wss://media.example',
        mediaserver_token: expect.stringMatching(/^viewer of room-/),
        ended_at: null,
        ...viewerFields,
      });
      expect(body).toMatchObject({
        livekit_url: body.mediaserver_url,
        livekit_token: body.mediaserver_token,
      });
      expect((await service.call('GET', `/v1/calls/${body.id}`)).json()).toMatchObject(
        viewerFields,
      );
    },
  );

  test.each(['free', 'creator'] as const)(
    'on the plan %s is refused, whatever the body',
    async (plan) => {
      await usePlan(plan);

      for (const payload of [{ agent_id: agentId }, {}]) {
        const reply = await mint(payload);
        expect(reply.statusCode).toBe(403);
        expect(reply.json()).toMatchObject({
          detail: 'This feature is not available on your current plan. Please upgrade your plan.',
        });
      }
    },
  );

  test('counts as a concurrent session', async () => {
    await usePlan('growth');
    const replies = [];
    for (let i = 0; i < 11; i += 1) replies.push(await mint({ agent_id: agentId }));

    const lastReply = replies.at(-1);

    expect(lastReply?.statusCode).toBe(429);
    expect(lastReply?.json()).toMatchObject({
      detail: expect.stringContaining('concurrency limit'),
    });
  });
});

describe('without a known media server', () => {
  test('there are no calls', async () => {
    const bare = await buildApp({ rooms: noRooms });
    const { id } = await addAgent(bare);

    const reply = await bare.call('POST', '/v1/calls', { payload: { agent_id: id } });

    expect(reply.statusCode).toBe(501);
    expect(reply.json()).toMatchObject({ detail: 'This service has no media server of its own.' });
    await bare.close();
  });
});
