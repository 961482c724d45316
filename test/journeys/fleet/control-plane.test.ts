import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHEET_TILES } from '#protocol/pictures/sheets.ts';
import type { RunningService } from '../../support/processes/service.ts';
import { shareService } from '../../support/processes/shared-service.ts';
import { until } from '../../support/until.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

let service: RunningService;
beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service?.stop());

type Session = {
  id: string;
  status: { type: string; started_at?: string };
  end_reason?: string;
  room: { url: string; name: string; viewer_token: string };
};

const read = async (reply: Response): Promise<Session> => (await reply.json()) as Session;

const find = async (id: string): Promise<Session | null> => {
  // Nothing is found while the server is down.
  const reply = await service.api(`/v1/sessions/${id}`).catch(() => null);
  return reply?.ok ? read(reply) : null;
};

describe('the control plane, killed in the middle of a session', () => {
  test('interrupts no session and recovers all of them', async () => {
    const body = { avatar_id: FIRST_AVATAR.alias };
    const { id, room } = await read(await service.api('/v1/sessions', { method: 'POST', body }));
    const viewer = new AvatarViewer('troupe-avatar');
    await viewer.join(room.url, room.viewer_token);
    await viewer.sees(10);
    await until(async () => (await find(id))?.status.type === 'ongoing');
    const sessionBefore = await find(id);

    await service.killProgram('control');
    await viewer.sees(50);
    await until(async () => (await find(id)) !== null);
    const sessionAfter = await find(id);
    await until(async () => (await service.api('/readyz')).ok);
    const still = await service.api(`/v1/sessions/${id}/still`);
    const sheet = await service.api(`/v1/avatars/${FIRST_AVATAR.alias}/sheet`);
    const framesAtEnd = viewer.frames;
    const ended = await read(await service.api(`/v1/sessions/${id}/end`, { method: 'POST' }));

    expect(sessionBefore?.status).toMatchObject({
      type: 'ongoing',
      started_at: expect.any(String),
    });
    expect(sessionAfter?.status).toEqual(sessionBefore?.status);
    expect(Buffer.from(await still.arrayBuffer()).toString('hex')).toMatch(/^ffd8.*ffd9$/);
    expect(await sheet.json()).toMatchObject({ tiles: [...SHEET_TILES] });
    expect(framesAtEnd).toBeGreaterThanOrEqual(60);
    expect(ended).toMatchObject({ status: { type: 'completed' }, end_reason: 'ended_by_client' });
    await viewer.leave();
  });
});
