import type { SessionRecords } from '../../records/sessions/sessions.ts';
import type { SessionEnding } from './session-ending.ts';

const AT_ONCE = 50;

type EndAccountSessionsParts = {
  records: Pick<SessionRecords, 'page'>;
  ending: Pick<SessionEnding, 'end'>;
};

/** Ends the live sessions of an account for its caller. */
export async function endAccountSessions(
  { records, ending }: EndAccountSessionsParts,
  accountId: string,
): Promise<void> {
  for (const status of ['to_start', 'ongoing'] as const) {
    let cursor: string | undefined;
    do {
      const { data, nextCursor } = await records.page(
        accountId,
        { limit: AT_ONCE, cursor },
        { status },
      );
      for (const { id } of data) await ending.end(accountId, id);
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
