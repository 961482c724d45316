import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newName } from '#shared/ids.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/service.ts';
import { Witness } from '../support/witness.ts';

const TOKEN_SECONDS = 3;
/** The media server lets a token in for a minute more. */
const LEEWAY_SECONDS = 61;
const AVATAR = 'avatar';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ env: NO_AGENTS });
});
afterAll(() => service?.stop());

function token(room: string, identity: string, ttl: number): Promise<string> {
  const { apiKey, apiSecret } = service.mediaServer;
  const made = new AccessToken(apiKey, apiSecret, { identity, ttl });
  made.addGrant({ roomJoin: true, room });
  return made.toJwt();
}

type Session = { id: string; status: { type: string } };

describe('a session whose own room token has expired', () => {
  test('has its face back after a kill -9 of the worker', async () => {
    const room = newName('room');
    const { url } = service.mediaServer;
    const witness = new Witness(AVATAR);
    await witness.join(url, await token(room, 'viewer', 600));
    const body = { avatar_id: 'nora', url, token: await token(room, AVATAR, TOKEN_SECONDS) };
    const { id } = await service.make('/v1/sessions', body);
    await witness.sees(25);
    await new Promise((resolve) => setTimeout(resolve, (TOKEN_SECONDS + LEEWAY_SECONDS) * 1_000));

    await service.killProgram('worker');
    await witness.sees(50);

    const session = (await (await service.api(`/v1/sessions/${id}`)).json()) as Session;
    expect(session.status.type).toBe('ongoing');
    await witness.leave();
  });
});
