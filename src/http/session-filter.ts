import { Fault, problem } from '../errors.ts';
import type { SessionFilter } from '../records/sessions/sessions.ts';
import type { SessionQuery } from './schemas/sessions.ts';

/** Which sessions the caller wants to see. Throws a Fault for what makes no sense. */
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
  // In the form of a time, and none: a leap second.
  if (Number.isNaN(time)) {
    throw problem('datetime_parsing', ['query', name], 'Input should be a valid time', text);
  }
  return time;
}
