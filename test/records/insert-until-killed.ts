/* Run by kill.test.ts: adds sessions and moves them on as fast as it can; says each one's id only after it is recorded. */
import { writeSync } from 'node:fs';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../src/records/accounts.ts';
import { openDatabase } from '../../src/records/database.ts';
import { migrate } from '../../src/records/migrate.ts';
import { Lists } from '../../src/records/pages.ts';
import { createSeal, secretKey } from '../../src/records/sealed.ts';
import { sessionRecords } from '../../src/records/sessions.ts';

const dataDir = process.env['DATA_DIR'] ?? '';
const db = openDatabase({ dataDir });
await migrate(db);
const secret = secretKey(undefined, dataDir);
const records = sessionRecords(db, createSeal(secret), new Lists(secret));
const { id: accountId } = await accountRecords(db).first(0);

for (;;) {
  const id = newRecordId();
  await records.insert(
    {
      id,
      accountId,
      transport: 'mediaserver',
      avatarId: 'nora',
      roomUrl: 'wss://media.example',
      roomToken: `token of ${id}`,
      renewedToken: null,
      tokenFingerprint: id,
      builtInRoom: null,
      status: 'to_start',
      startedAt: null,
      endedAt: null,
      endReason: null,
      epoch: 1,
      workerId: null,
      video: { width: 512, height: 512, fps: 25 },
      maxLengthMinutes: null,
      metadata: {},
      idempotencyKey: id,
      callId: null,
      signals: [],
      createdAt: Date.now(),
    },
    { maxLive: null },
  );
  await records.updateState(id, {
    status: 'ongoing',
    startedAt: 1,
    endedAt: null,
    endReason: null,
  });
  writeSync(1, `${id}\n`);
}
