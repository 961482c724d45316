import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TokenVerifier } from 'livekit-server-sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAgentRooms, type AgentRooms } from '../../src/rooms/agent-rooms.ts';

const API_KEY = 'key';
const API_SECRET = 'a secret of at least thirty-two letters';
const VISITOR = { identity: 'visitor-1', name: 'Ada' };

/** The part of the media server's API that the rooms use. Records the calls. */
let calls: { method: string; body: Record<string, unknown> }[];
let answer: { status: number; body: object };
let server: Server;
let rooms: AgentRooms;

beforeEach(async () => {
  calls = [];
  answer = { status: 200, body: {} };
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const method = request.url?.split('/').at(-1) ?? '';
      calls.push({ method, body: JSON.parse(text) as Record<string, unknown> });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const urls = { url: `ws://127.0.0.1:${port}`, publicUrl: 'wss://media.example' };
  rooms = openAgentRooms({ ...urls, apiKey: API_KEY, apiSecret: API_SECRET }, Buffer.from('s'));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('rooms for agents of their own', () => {
  test('admit the visitor, and any agent', async () => {
    const { url, name, token } = await rooms.open('account-1', '', VISITOR);

    expect(url).toBe('wss://media.example');
    expect(await new TokenVerifier(API_KEY, API_SECRET).verify(token)).toMatchObject({
      sub: 'visitor-1',
      name: 'Ada',
      video: { roomJoin: true, room: name },
    });
    expect(calls).toMatchObject([{ method: 'CreateRoom', body: { name } }]);
    expect(calls[0]!.body).not.toHaveProperty('agents');
  });

  test('ask for the agent of a name', async () => {
    await rooms.open('account-1', 'helper', VISITOR);

    expect(calls[0]!.body).toMatchObject({ agents: [{ agentName: 'helper' }] });
  });

  test('belong to one account', async () => {
    const { name } = await rooms.open('account-1', '', VISITOR);

    expect(rooms.isOf('account-1', name)).toBe(true);
    expect(rooms.isOf('account-2', name)).toBe(false);
    expect(rooms.isOf('account-1', 'troupe-0123-abc')).toBe(false);
  });

  test('tell what became of each request for an agent', async () => {
    const state = {
      createdAt: '1700000000123456789',
      jobs: [{ state: { status: 'JS_RUNNING' } }, { state: { status: 'JS_FAILED', error: 'no' } }],
    };
    answer.body = { agentDispatches: [{ agentName: 'helper', state }] };

    expect(await rooms.dispatches('a-room')).toEqual([
      {
        agentName: 'helper',
        at: 1_700_000_000_123,
        jobs: [
          { status: 'running', error: '' },
          { status: 'failed', error: 'no' },
        ],
      },
    ]);
  });

  test('a closed room has no requests', async () => {
    answer = { status: 404, body: { code: 'not_found', msg: 'no' } };

    expect(await rooms.dispatches('a-room')).toBeNull();
    await expect(rooms.close('a-room')).resolves.toBeUndefined();
  });

  test('ask again when told to', async () => {
    await rooms.dispatch('a-room', 'helper');

    expect(calls).toMatchObject([
      { method: 'CreateDispatch', body: { room: 'a-room', agentName: 'helper' } },
    ]);
  });

  test('a media server that does not answer is a fault to try again', async () => {
    answer = { status: 503, body: { code: 'unavailable', msg: 'no' } };
    const away = { fault: 'at_capacity', message: expect.stringContaining('media server') };

    await expect(rooms.open('account-1', '', VISITOR)).rejects.toMatchObject(away);
    await expect(rooms.dispatches('a-room')).rejects.toMatchObject(away);
    await expect(rooms.dispatch('a-room', '')).rejects.toMatchObject(away);
  });
});
