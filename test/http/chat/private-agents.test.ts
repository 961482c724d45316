import { SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let service: BuiltApp;
let agentId: string;
beforeEach(async () => {
  service = await buildApp();
  agentId = (await addAgent(service)).id;
});
afterEach(() => service.close());

const secretOf = async (id = agentId) => {
  const reply = await service.call('POST', `/v1/agents/${id}/link-secret`);
  return reply.json<{ link_secret: string }>().link_secret;
};
const sign = (secret: string, { sub = agentId, inSeconds = 60, exp = true } = {}) => {
  const token = new SignJWT({ sub }).setProtectedHeader({ alg: 'HS256' });
  const now = Math.floor(service.clock.now() / 1000);
  if (exp) token.setExpirationTime(now + inSeconds);
  return token.sign(new TextEncoder().encode(secret));
};
const visit = async (token: string | null) => {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const url = `/v1/chat/${agentId}`;
  return {
    seen: await service.app.server.inject({ url, headers }),
    called: await service.app.server.inject({
      method: 'POST',
      url: `${url}/calls`,
      headers,
      payload: {},
    }),
  };
};
const statuses = ({ seen, called }: Awaited<ReturnType<typeof visit>>) => [
  seen.statusCode,
  called.statusCode,
];

describe('a private agent', () => {
  test('is seen and called with a link token only', async () => {
    const secret = await secretOf();

    const without = await visit(null);
    const withToken = await visit(await sign(secret));

    expect(statuses(without)).toEqual([401, 401]);
    expect(without.seen.json().detail).toContain('a link token of its owner is required');
    expect(statuses(withToken)).toEqual([200, 201]);
    const agent = await service.call('GET', `/v1/agents/${agentId}`);
    expect(agent.json()).toMatchObject({ is_private: true });
    expect(agent.body).not.toContain(secret);
  });

  test.each([
    ['has expired', async (secret: string) => sign(secret, { inSeconds: -31 })],
    ['never expires', async (secret: string) => sign(secret, { exp: false })],
    ['is for another agent', async (secret: string) => sign(secret, { sub: NOBODY })],
    ['was signed with another secret', async () => sign('x'.repeat(43))],
    ['is none', async () => 'nonsense'],
    [
      'is not signed',
      async () => new UnsecuredJWT({ sub: agentId }).setExpirationTime('2h').encode(),
    ],
  ])('refuses a token that %s', async (_what, tokenOf) => {
    const secret = await secretOf();

    const refused = await visit(await tokenOf(secret));

    expect(statuses(refused)).toEqual([401, 401]);
    expect(refused.seen.json().detail).toContain('ask for a new link');
  });

  test('refuses earlier tokens when its secret is replaced', async () => {
    const token = await sign(await secretOf());

    const nextSecret = await secretOf();

    expect(statuses(await visit(token))).toEqual([401, 401]);
    expect(statuses(await visit(await sign(nextSecret)))).toEqual([200, 201]);
  });

  test('becomes public again', async () => {
    await secretOf();

    const deleted = await service.call('DELETE', `/v1/agents/${agentId}/link-secret`);

    expect(deleted.statusCode).toBe(204);
    expect(statuses(await visit(null))).toEqual([200, 201]);
    const agent = await service.call('GET', `/v1/agents/${agentId}`);
    expect(agent.json()).toMatchObject({ is_private: false });
  });

  test('is called by its owner’s key without a token', async () => {
    await secretOf();

    const called = await service.call('POST', '/v1/calls', { payload: { agent_id: agentId } });

    expect(called.statusCode).toBe(201);
  });

  test('is made by its owner only', async () => {
    const headers = { 'x-api-key': await service.strangerKey() };

    const creationReply = await service.call('POST', `/v1/agents/${agentId}/link-secret`, {
      headers,
    });
    const unmade = await service.call('DELETE', `/v1/agents/${agentId}/link-secret`, { headers });

    expect([creationReply.statusCode, unmade.statusCode]).toEqual([404, 404]);
    expect(statuses(await visit(null))).toEqual([200, 201]);
  });
});
