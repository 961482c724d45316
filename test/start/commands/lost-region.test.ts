import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backup } from '../../../src/start/commands/backup.ts';
import { restore } from '../../../src/start/commands/restore.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import { call } from './run-command.ts';

let lostApp: BuiltApp;
let elsewhere: Place;
let folder: string;
beforeEach(async () => {
  lostApp = await buildApp();
  elsewhere = await newPlace({ isBare: true });
  folder = mkdtempSync(path.join(tmpdir(), 'troupe-region-'));
});
afterEach(async () => {
  await elsewhere.remove();
  rmSync(folder, { recursive: true });
});

const open = (service: BuiltApp) =>
  service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

describe('after the loss of a region', () => {
  test('a restored backup serves elsewhere, with the keys and the sessions that were live', async () => {
    const { id } = (await open(lostApp)).json();
    const [worker] = lostApp.workers;
    await worker!.started((await worker!.next('assign')).placement);
    const saved = path.join(folder, 'backup');
    await call(backup, [saved, '--with-keys'], lostApp.place.env);
    await lostApp.close();

    const { status } = await call(restore, [saved], elsewhere.env);
    const service = await buildApp({ place: elsewhere, slots: 2 });
    service.clock.advance(6_000);

    expect(status).toBe(0);
    const { placement } = await service.workers[0]!.next('assign');
    expect(placement).toEqual({ sessionId: id, epoch: 2 });
    expect((await open(service)).statusCode).toBe(201);
    await service.close();
  });
});
