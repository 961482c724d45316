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

type Crowd = {
  /** A room for each request. Default: sessions get new rooms. */
  rooms?: object[];
  /** How many requests are under way at a time. Default: all. */
  callers?: number;
};

/**
 * Sends this many session requests, round-robin over the services. Returns the opened sessions and
 * all other responses.
 */
export async function openMany(
  services: Service[],
  count: number,
  { rooms = [], callers = count }: Crowd = {},
) {
  const numbers = Array.from({ length: count }).keys();
  const call = async () => {
    const answers = [];
    for (const number of numbers) {
      answers.push(await openOne(services[number % services.length]!, rooms[number]));
    }
    return answers;
  };
  const answers = (await Promise.all(Array.from({ length: callers }, call))).flat();
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
