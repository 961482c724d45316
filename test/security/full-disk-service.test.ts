import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { NO_AGENTS, startService } from '../support/processes/service.ts';
import { hasSmallDisks, SmallDisk } from '../support/processes/small-disk.ts';
import { until } from '../support/until.ts';

describe.skipIf(!hasSmallDisks)('the whole service on a disk that others fill', () => {
  test('keeps its programs and sessions, and stores again when there is room', async () => {
    const disk = new SmallDisk(160);
    const dataDir = path.join(disk.folder, 'data');
    const service = await startService({ dataDir, env: { ...NO_AGENTS, MIN_FREE_MIB: '32' } });
    const { id } = await service.make('/v1/sessions', { avatar_id: 'nora' });
    const programs = ['media-server', 'control'] as const;
    const pids = await Promise.all(programs.map((name) => service.pid(name)));
    disk.fill();

    // A restarted worker writes more to the logs than any other event.
    await service.killProgram('worker');
    for (let tries = 0; tries < 50; tries += 1) {
      const stored = await service.api('/v1/agents', {
        method: 'POST',
        body: { name: 'a', avatar_id: 'nora' },
      });
      expect(stored.status).toBe(507);
      expect((await service.api(`/v1/sessions/${id}`)).status).toBe(200);
    }

    expect(service.supervisor.exitCode).toBe(null);
    expect(await Promise.all(programs.map((name) => service.pid(name)))).toEqual(pids);
    disk.relieve();
    await service.hasFreeSlot();
    await service.make('/v1/agents', { name: 'a', avatar_id: 'nora' });
    await service.killProgram('worker');
    await until(async () => (await service.logOf('worker')).includes('log lines lost'), 20_000);
    await service.stop();
    disk.close();
  });
});
