import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createLog } from '../../../../src/shared/log.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../../../support/api/build-app.ts';
import { until } from '../../../support/until.ts';
import { SECOND_AVATAR } from '../../../support/cast.ts';

let service: BuiltApp;
let sockets: WebSocket[];
beforeEach(() => (sockets = []));
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await service.close();
});

function connect(query: string, headers: Record<string, string> = { authorization: API_KEY }) {
  const url = `${service.url.replace('http', 'ws')}/compat/ojin?${query}`;
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

const openConnections = (): Promise<number> => {
  const { server } = service.app.server;
  return promisify(server.getConnections.bind(server))();
};

const metrics = async () => (await service.app.server.inject({ url: '/metrics' })).body;

const sessions = async () =>
  (await service.call('GET', '/v1/sessions')).json<{ data: Record<string, unknown>[] }>().data;

const endReasons = async () => (await sessions()).map(({ end_reason }) => end_reason);

describe('the handshake of a vendor client', () => {
  test('is counted and logged like every request, without its query', async () => {
    let logged = '';
    const log = createLog({ name: 'test', level: 'info' }, { write: (line) => (logged += line) });
    service = await buildApp({ log });

    await once(connect(`config_id=${SECOND_AVATAR.alias}`), 'open');
    await once(connect(`config_id=${SECOND_AVATAR.alias}&api_key=a-secret`, {}), 'close');

    const counted = 'troupe_http_request_seconds_count{method="GET",route="/compat/ojin"';
    expect(await metrics()).toContain(`${counted},status="101"} 1\n`);
    expect(await metrics()).toContain(`${counted},status="401"} 1\n`);
    const requests = logged
      .split('\n')
      .filter((line) => line.includes('request completed') && line.includes('/compat/'))
      .map((line) => JSON.parse(line) as { req: object; res: object });
    expect(requests).toMatchObject([
      { req: { url: '/compat/ojin', remoteAddress: '127.0.0.1' }, res: { statusCode: 101 } },
      { req: { url: '/compat/ojin' }, res: { statusCode: 401 } },
    ]);
    expect(logged).not.toContain('a-secret');
  });

  test('holds no slot when the client leaves while it waits for one', async () => {
    service = await buildApp({ slots: 1, env: { SLOT_WAIT_MS: '8000' } });
    const payload = { avatar_id: NORA };
    const { id } = (await service.call('POST', '/v1/sessions', { payload })).json();
    const [worker] = service.workers;
    const countBefore = await openConnections();
    const socket = connect(`config_id=${SECOND_AVATAR.alias}`);
    await until(async () => /^troupe_queue_depth\{kind="avatar".*\} 1$/m.test(await metrics()));

    socket.terminate();
    await until(async () => (await openConnections()) === countBefore);
    await service.call('POST', `/v1/sessions/${id}/end`);

    await until(async () => (await endReasons()).filter(Boolean).length === 2);
    expect(await endReasons()).toEqual(['ended_by_client', 'ended_by_client']);
    await until(() => worker!.performing.size === 0);
  });
});
