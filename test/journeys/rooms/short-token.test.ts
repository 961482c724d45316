import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newName } from '#shared/ids.ts';
import { roomToken } from '../../stage/room-token.ts';
import type { RunningService } from '../../support/processes/service.ts';
import { shareService } from '../../support/processes/shared-service.ts';
import { SignalProxy } from '../../support/processes/proxies/signal-proxy.ts';
import { until } from '../../support/until.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

/** Shorter than the tokens that the media server issues, which are therefore preferred. */
const TOKEN_SECONDS = 60;
const AVATAR = 'avatar';

let service: RunningService;
let rooms: SignalProxy;
beforeAll(async () => {
  service = await shareService();
  rooms = await SignalProxy.open(service.mediaServer.url);
});
afterAll(async () => {
  rooms?.close();
  await service?.stop();
});

const token = (room: string, identity: string, ttl: number): Promise<string> =>
  roomToken(service.mediaServer, room, identity, { ttl });

type Session = { id: string; status: { type: string } };
type Timeline = { data: { kind: string }[] };

const answerOf = async <Answer>(path: string): Promise<Answer> =>
  (await (await service.api(path)).json()) as Answer;

/** Whether the media server behind the proxy accepts a token. */
const opens = async (room: string): Promise<boolean> =>
  (await fetch(`${rooms.url.replace('ws', 'http')}/rtc/validate?access_token=${room}`)).ok;

/*
 * The media server accepts a token for a minute after its expiry, which cannot be configured. The
 * proxy in front of it replaces that minute: from a given moment it answers the token as the server
 * answers an expired one.
 */
describe('a session whose own room token has expired', () => {
  test('recovers from a kill -9 of the worker', async () => {
    const room = newName('room');
    const viewer = new AvatarViewer(AVATAR);
    await viewer.join(service.mediaServer.url, await token(room, 'viewer', 600));
    const avatarToken = await token(room, AVATAR, TOKEN_SECONDS);
    const { id } = await service.make('/v1/sessions', {
      avatar_id: FIRST_AVATAR.alias,
      url: rooms.url,
      token: avatarToken,
    });
    await viewer.sees(25);
    const sidBefore = viewer.faces.current!;
    await until(async () => {
      const { data } = await answerOf<Timeline>(`/v1/sessions/${id}/timeline`);
      return data.some(({ kind }) => kind === 'token_renewed');
    });
    const wasGood = await opens(avatarToken);
    rooms.refuse(avatarToken);
    const isGood = await opens(avatarToken);

    await service.killProgram('worker');
    await viewer.seesOther(sidBefore);
    await viewer.sees(25);

    expect([wasGood, isGood]).toEqual([true, false]);
    const session = await answerOf<Session>(`/v1/sessions/${id}`);
    expect(session.status.type).toBe('ongoing');
    await viewer.leave();
  });
});
