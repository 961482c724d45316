import { afterEach, beforeEach, expect, test } from 'vitest';
import { endAccountSessions } from '../../../src/sessions/ending/end-account-sessions.ts';
import {
  ACCOUNT,
  request,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';

/** One session has started; the others exceed a page by one. */
const SESSIONS = 52;

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

const requestFor = (name: string) =>
  request({ room: { url: 'wss://rooms.example', token: `a token of ${name}` } });

test("all live sessions of an account are ended, and no other account's", async () => {
  await plane.addAccount('account-2');
  const worker = await plane.worker({ slots: SESSIONS + 1 }).join();
  const { session: otherSession } = await plane.creation.open(
    { id: 'account-2' },
    requestFor('other'),
  );
  for (let count = 0; count < SESSIONS; count += 1)
    await plane.creation.open(ACCOUNT, requestFor(`session ${count}`));
  await worker.atRest();
  const [firstSession] = [...worker.performing.values()].filter(
    ({ placement }) => placement.sessionId !== otherSession.id,
  );
  await worker.started(firstSession!.placement);

  await endAccountSessions(plane, ACCOUNT.id);

  await worker.atRest();
  expect([...worker.performing.keys()]).toEqual([otherSession.id]);
  const ended = await plane.records.page(ACCOUNT.id, { limit: 100 }, { status: 'completed' });
  expect(ended.data).toHaveLength(SESSIONS);
});
