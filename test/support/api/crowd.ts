import type { PlanName } from '../../../src/accounts/plan.ts';
import { API_KEY, NORA } from './build-app.ts';
import type { Place } from '../records/database.ts';

/** The response to every request beyond the account's limit. */
export const REFUSED = {
  status: 429,
  body: {
    detail:
      'You have reached your concurrency limit. Please upgrade your plan or stop other ongoing sessions.',
  },
};

type Service = { url: string };

/**
 * Sends this many session requests at once, round-robin over the services. Returns the opened
 * sessions and all other responses. Without `rooms`, a room for each, sessions get new rooms.
 */
export async function openAtOnce(services: Service[], count: number, rooms: object[] = []) {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, number) =>
      openOne(services[number % services.length]!, rooms[number]),
    ),
  );
  return {
    opened: answers.filter(({ status }) => status === 201).map(({ body }) => body['id'] as string),
    refused: answers.filter(({ status }) => status !== 201),
  };
}

async function openOne({ url }: Service, room: object = {}) {
  const reply = await fetch(`${url}/v1/sessions`, {
    method: 'POST',
    headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ avatar_id: NORA, ...room }),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

/** Writes a key to the records before a service has looked it up. */
export async function setPlan(place: Place, plan: PlanName): Promise<void> {
  const records = place.open();
  await records.updateTable('accounts').set({ plan }).execute();
  await records.destroy();
}

/** The live-session count of the account, and the number of sessions that are not completed. */
export async function liveSessions(place: Place) {
  const records = place.open();
  const { counted } = await records
    .selectFrom('accounts')
    .select('live_sessions as counted')
    .executeTakeFirstOrThrow();
  const live = await records
    .selectFrom('sessions')
    .select('id')
    .where('status', '<>', 'completed')
    .execute();
  await records.destroy();
  return { counted, live: live.length };
}
