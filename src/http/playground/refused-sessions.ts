import type { JournalEntry } from '../requests/request-journal.ts';

export type RefusedSession = { status: number; detail: string | null };

/** Sessions that programs asked for since `from`, and did not get, most recent first. */
export const refusedSessions = (entries: readonly JournalEntry[], from: number): RefusedSession[] =>
  entries
    .filter(
      ({ at, route, method, status, personId }) =>
        at >= from &&
        method === 'POST' &&
        route === '/v1/sessions' &&
        status >= 400 &&
        personId === null,
    )
    .map(({ status, responseBody }) => ({ status, detail: detailIn(responseBody) }));

/** Null: the answer is too long for the journal. */
function detailIn(responseBody: string | null): string | null {
  try {
    const { detail } = JSON.parse(responseBody ?? '{}') as {
      detail?: string | { msg: string; loc: (string | number)[] }[];
    };
    if (typeof detail === 'string') return detail;
    const [problem] = detail ?? [];
    return problem ? `${problem.loc.slice(1).join('.')}: ${problem.msg}` : null;
  } catch {
    return null;
  }
}
