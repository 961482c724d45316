/* Sessions of a silent worker move, and it is rejected when it returns. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SILENCES, SilentWorkerStage } from '../../stage/silent-worker.ts';
import { MOVING } from '../../support/processes/service.ts';
import { shareService } from '../../support/processes/shared-service.ts';

const POOL = 'paused-worker';

let stage: SilentWorkerStage;
beforeAll(async () => {
  stage = await SilentWorkerStage.open(await shareService({ pool: POOL }), {
    ...MOVING,
    WORKER_POOL: POOL,
  });
});
afterAll(() => stage?.stop());

describe('a performing worker beside an idle one', () => {
  test.for(SILENCES)('%s: the avatar is back, once, and stays', async (silence) => {
    const { sessions, faces, takeover, report } = await stage.takeOver(silence);

    expect(report).toMatchObject({
      playback_position: expect.closeTo(2, 2),
      interrupted: false,
    });
    // From the first frame of the next worker, only that one shows.
    const since = faces.sights.filter(({ atMs }) => atMs >= takeover.atMs);
    expect(new Set(since.map(({ sid }) => sid))).toEqual(new Set([takeover.sid]));
    expect(Math.max(...faces.counts.map(({ participants: present }) => present))).toBe(1);
    expect(Math.max(...faces.counts.map(({ tracks }) => tracks))).toBe(1);
    expect(faces.changes).toEqual(['came', 'left', 'came']);
    expect(sessions[0].status.type).toBe('ongoing');
    expect(sessions[1]).toEqual(sessions[0]);
  });
});
