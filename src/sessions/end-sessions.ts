import type { Sessions } from './sessions.ts';

const AT_ONCE = 50;

/** Ends the live sessions of an account for its caller. */
export async function endSessions(
  sessions: Pick<Sessions, 'page' | 'end'>,
  accountId: string,
): Promise<void> {
  for (const status of ['to_start', 'ongoing'] as const) {
    let cursor: string | undefined;
    do {
      const { data, nextCursor } = await sessions.page(
        accountId,
        { limit: AT_ONCE, cursor },
        { status },
      );
      for (const { id } of data) await sessions.end(accountId, id);
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
