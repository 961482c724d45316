import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { NO_AGENTS, startService } from '../support/processes/service.ts';
import { hasSmallDisks, SmallDisk } from '../support/processes/small-disk.ts';
import { until } from '../support/until.ts';
import { FIRST_AVATAR } from '../support/cast.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

// Needs root on Linux, to mount a small file system (test/support/processes/small-disk.ts says so).
describe.skipIf(!hasSmallDisks)('the whole service on a disk that others fill', () => {
  test('keeps its programs and sessions, and stores again when there is room', async () => {
    const disk = new SmallDisk(160);
    closing.push(() => disk.close());
    const dataDir = path.join(disk.folder, 'data');
    const service = await startService({ dataDir, env: { ...NO_AGENTS, MIN_FREE_MIB: '32' } });
    closing.push(() => service.stop());
    const { id } = await service.make('/v1/sessions', { avatar_id: FIRST_AVATAR.alias });
    const programs = ['media-server', 'control'] as const;
    const pids = await Promise.all(programs.map((name) => service.pid(name)));
    disk.fill();

    await service.killProgram('worker');
    // Each request is a line in the log.
    for (let tries = 0; tries < 50; tries += 1) {
      const stored = await service.api('/v1/agents', {
        method: 'POST',
        body: { name: 'a', avatar_id: FIRST_AVATAR.alias },
      });
      expect(stored.status).toBe(507);
      expect((await service.api(`/v1/sessions/${id}`)).status).toBe(200);
    }

    expect(service.supervisor.exitCode).toBe(null);
    expect(await Promise.all(programs.map((name) => service.pid(name)))).toEqual(pids);
    disk.relieve();
    await service.hasFreeSlot();
    await service.make('/v1/agents', { name: 'a', avatar_id: FIRST_AVATAR.alias });
    await until(async () => (await service.logOf('control')).includes('log lines lost'));
  });
});
