import { Fault, problem } from '../errors.ts';
import type { SessionFilter } from '../records/sessions/sessions.ts';
import type { SessionQuery } from './schemas/sessions.ts';

/** Throws a Fault for contradictory or invalid filters. */
export async function readSessionFilter(
  { status, avatar_id: avatarId, ...query }: SessionQuery,
  findAvatar: (id: string) => Promise<{ id: string }>,
): Promise<SessionFilter> {
  const from = readTime('from', query.from);
  const to = readTime('to', query.to);
  if (from !== undefined && to !== undefined && from > to) {
    throw new Fault('invalid_parameter', { detail: '`from` is after `to`.' });
  }
  return {
    ...(status !== undefined && { status }),
    ...(avatarId !== undefined && { avatarId: (await findAvatar(avatarId)).id }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

function readTime(name: 'from' | 'to', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  // The schema accepts a leap second, which Date cannot parse.
  if (Number.isNaN(time)) {
    throw problem('datetime_parsing', ['query', name], 'Input should be a valid time', text);
  }
  return time;
}
