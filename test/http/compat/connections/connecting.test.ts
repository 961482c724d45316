import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  API_KEY,
  buildApp,
  NORA,
  roomToken,
  THEO,
  type BuiltApp,
} from '../../../support/api/build-app.ts';
import { BotroomPeer } from '../../../support/botrooms/botroom-peer.ts';
import { ojinSpeech, readFrame } from '../../../support/botrooms/ojin-messages.ts';
import { until } from '../../../support/until.ts';
import { SECOND_AVATAR } from '../../../support/cast.ts';

let service: BuiltApp;
let sockets: WebSocket[];
beforeEach(() => (sockets = []));
const closeSockets = () =>
  Promise.all(
    sockets.map(async (socket) => {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.terminate();
      await once(socket, 'close');
    }),
  );
async function close(): Promise<void> {
  await closeSockets();
  await service.close();
}

type Query = Record<string, string>;
type Headers = Record<string, string>;
type Text = { type: string; payload: Record<string, unknown> };

/** As the published client connects. */
class Client {
  readonly socket: WebSocket;
  readonly texts: Text[] = [];
  readonly frames: Buffer[] = [];

  constructor(query: Query, headers: Headers) {
    const url = `${service.url.replace('http', 'ws')}/compat/ojin?${new URLSearchParams(query)}`;
    this.socket = new WebSocket(url, { headers, perMessageDeflate: false });
    sockets.push(this.socket);
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.frames.push(data);
      else this.texts.push(JSON.parse(data.toString()) as Text);
    });
  }

  async hears(type: string): Promise<Record<string, unknown>> {
    await until(() => this.texts.some((text) => text.type === type));
    return this.texts.find((text) => text.type === type)!.payload;
  }
}

const connect = (
  query: Query = { config_id: SECOND_AVATAR.alias },
  headers: Headers = { authorization: API_KEY },
) => new Client(query, headers);

/** The reason and close code of a refusal. */
async function refusalOf(client: Client) {
  const [code] = (await once(client.socket, 'close')) as [number];
  const { code: name, message } = await client.hears('errorResponse');
  return { code, name, message };
}

const sessions = async () =>
  (await service.call('GET', '/v1/sessions')).json<{ data: Record<string, unknown>[] }>().data;

/** The job of the only session. */
async function assigned() {
  const [worker] = service.workers;
  await until(() => worker!.performing.size === 1);
  return [...worker!.performing.values()][0]!;
}

async function seatWorker({ url, token }: { url: string; token: string }): Promise<BotroomPeer> {
  const worker = new BotroomPeer(`${service.url}${url}?epoch=1`, token);
  sockets.push(worker.socket);
  await worker.opened;
  return worker;
}

describe('a websocket of an Ojin client', () => {
  afterEach(close);

  test('opens a session whose pictures and sound it gets', async () => {
    service = await buildApp();
    const client = connect();
    const { room, transport } = await assigned();
    const worker = await seatWorker(room);

    worker.show(7);

    const ready = await client.hears('sessionReady');
    const [session] = await sessions();
    expect(transport).toBe('botroom');
    expect(session).toMatchObject({ transport: 'botroom', avatar_id: THEO });
    expect(ready).toMatchObject({
      trace_id: session!['id'],
      parameters: { avatar_id: THEO, is_default_avatar: false, unused: [] },
    });
    await until(() => client.frames.length === 1);
    expect(readFrame(client.frames[0]!)).toMatchObject({
      kind: 'idle',
      image: Buffer.alloc(100, 7),
    });
  });

  test('gives its speech to the worker', async () => {
    service = await buildApp();
    const client = connect();
    const worker = await seatWorker((await assigned()).room);
    worker.show(7);
    await client.hears('sessionReady');

    client.socket.send(ojinSpeech(Buffer.alloc(1_280, 3)));

    await until(() => worker.of('audio').length === 1);
    expect(worker.of('audio')[0]).toMatchObject({
      header: { sample_rate: 16_000, num_channels: 1 },
      blob: Buffer.alloc(1_280, 3),
    });
  });

  test('uses the fallback avatar for an unknown id, and says so', async () => {
    service = await buildApp();
    const client = connect({ config_id: 'theirs', mode: 'dev' });
    const worker = await seatWorker((await assigned()).room);
    worker.show(7);

    expect((await client.hears('sessionReady'))['parameters']).toMatchObject({
      avatar_id: NORA,
      is_default_avatar: true,
      unused: ['mode'],
    });
  });

  test('hears why its session is over', async () => {
    service = await buildApp();
    const client = connect();
    const worker = await seatWorker((await assigned()).room);
    worker.show(7);
    await client.hears('sessionReady');
    const avatarWorker = service.workers[0]!;
    const { placement } = [...avatarWorker.performing.values()][0]!;

    // The client may hear it before the worker's report is acknowledged.
    const refusal = refusalOf(client);
    await avatarWorker.ended(placement, 'room_closed');

    expect(await refusal).toEqual({
      code: 4410,
      name: 'SESSION_OVER',
      message: 'The session is over: room_closed.',
    });
  });

  test('without a free slot is turned away', async () => {
    service = await buildApp({ slots: 0, env: { SLOT_WAIT_MS: '0' } });

    expect(await refusalOf(connect())).toEqual({
      code: 4404,
      name: 'NO_BACKEND_SERVER_AVAILABLE',
      message: expect.stringContaining('avatar worker'),
    });
  });

  test('on a disk that is almost full is turned away', async () => {
    service = await buildApp({ env: { MIN_FREE_MIB: '1000000000' } });

    expect(await refusalOf(connect())).toMatchObject({ name: 'NO_BACKEND_SERVER_AVAILABLE' });
    expect(await sessions()).toEqual([]);
  });

  test('beyond a limit is turned away', async () => {
    service = await buildApp({ env: { REQUESTS_PER_MINUTE: '1' } });
    await once(connect().socket, 'open');

    expect(await refusalOf(connect())).toEqual({
      code: 4429,
      name: 'LIMIT_REACHED',
      message: 'Too many requests. Please try again shortly.',
    });
  });
});

const url = 'wss://media.their.example';
const query = {
  config_id: SECOND_AVATAR.alias,
  webrtc_version: '2',
  webrtc_provider: 'livekit',
  webrtc_room_url: url,
  webrtc_audio_sample_rate: '24000',
};
const withRoom = (token: string) => ({ authorization: API_KEY, 'X-Ojin-Webrtc-Token': token });

describe('an Ojin client with a LiveKit room', () => {
  afterEach(close);

  test('has its avatar there, and sends only speech', async () => {
    service = await buildApp();
    const token = await roomToken();
    const client = connect(query, withRoom(token));
    const { room, speech, transport } = await assigned();
    const worker = await seatWorker({ url: speech!.url, token: speech!.token! });

    worker.send('ready');
    const ready = await client.hears('sessionReady');
    client.socket.send(ojinSpeech(Buffer.alloc(1_920, 3)));
    await until(() => worker.of('audio').length === 1);

    expect({ room, transport }).toMatchObject({ room: { url, token }, transport: 'mediaserver' });
    expect(speech).toMatchObject({ protocol: 'botroom' });
    expect(ready['parameters']).toMatchObject({
      unused: [],
      webrtc: { status: 'connected', provider: 'livekit', participant_id: 'bey-avatar-agent' },
    });
    expect(worker.of('audio')[0]?.header).toEqual({ sample_rate: 24_000, num_channels: 1 });
  });

  test('has the same avatar after its connection broke', async () => {
    service = await buildApp();
    const token = await roomToken();
    const firstClient = connect(query, withRoom(token));
    const { speech } = await assigned();
    const worker = await seatWorker({ url: speech!.url, token: speech!.token! });
    worker.send('ready');
    const ready = await firstClient.hears('sessionReady');
    firstClient.socket.terminate();

    const secondClient = connect(query, withRoom(token));

    expect(await secondClient.hears('sessionReady')).toMatchObject({ trace_id: ready['trace_id'] });
    expect(await sessions()).toHaveLength(1);
  });

  test('is turned away while an agent speaks in the room', async () => {
    service = await buildApp();
    const token = await roomToken();
    const payload = { avatar_id: NORA, url, token };
    await service.call('POST', '/v1/sessions', { payload });

    expect(await refusalOf(connect(query, withRoom(token)))).toMatchObject({
      name: 'SERVER_ERROR',
      message: expect.stringContaining('uses this room token'),
    });
  });

  test('that is turned away leaves no botroom', async () => {
    service = await buildApp({ slots: 0, env: { SLOT_WAIT_MS: '0' } });

    await refusalOf(connect(query, withRoom(await roomToken())));

    const { body } = await service.app.server.inject({ url: '/metrics' });
    expect(body).toContain('\ntroupe_botrooms 0\n');
  });
});

describe('a malformed request of an Ojin client', () => {
  beforeAll(async () => void (service = await buildApp()));
  afterEach(closeSockets);
  afterAll(() => service.close());

  test.each([
    { wrong: 'no key', headers: {}, name: 'AUTH_FAILED', message: 'API key is required.' },
    {
      wrong: 'an unknown key',
      headers: { authorization: 'not-a-key-of-ours' },
      name: 'AUTH_FAILED',
      message: 'Invalid API key.',
    },
  ])('with $wrong is turned away', async ({ headers, name, message }) => {
    const refusal = await refusalOf(connect({ config_id: SECOND_AVATAR.alias }, headers));

    expect(refusal).toEqual({ code: 4401, name, message });
    expect(await sessions()).toEqual([]);
  });

  test('needs a websocket', async () => {
    const reply = await service.app.server.inject({
      method: 'GET',
      url: `/compat/ojin?config_id=${SECOND_AVATAR.alias}`,
      headers: { authorization: API_KEY },
    });

    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ detail: 'Connect to this path with a websocket.' });
    expect(await sessions()).toEqual([]);
  });

  test.each([
    {
      wrong: 'a Daily room',
      more: { webrtc_provider: 'daily' },
      message: "body.webrtc_provider: Input should be 'livekit'",
    },
    {
      wrong: 'no address',
      more: { webrtc_room_url: '' },
      message: 'body.webrtc_room_url: Input must NOT have fewer than 1 characters',
    },
    {
      wrong: 'an address with another scheme',
      more: { webrtc_room_url: 'ftp://media.their.example' },
      message: expect.stringContaining('body.webrtc_room_url: '),
    },
    {
      wrong: 'a rate that no one uses',
      more: { webrtc_audio_sample_rate: '1' },
      message: expect.stringContaining('body.webrtc_audio_sample_rate: '),
    },
  ])('is turned away with $wrong', async ({ more, message }) => {
    const client = connect({ ...query, ...more }, withRoom(await roomToken()));

    expect(await refusalOf(client)).toMatchObject({ name: 'WEBRTC_INVALID_SETTINGS', message });
    expect(await sessions()).toEqual([]);
  });

  test('is turned away with an expired token', async () => {
    const token = await roomToken(undefined, { exp: 1_700_000_000 });

    expect(await refusalOf(connect(query, withRoom(token)))).toMatchObject({
      name: 'WEBRTC_INVALID_SETTINGS',
      message: expect.stringContaining('body.x-ojin-webrtc-token: '),
    });
  });
});
