import pg from 'pg';

export type WatchTimes = {
  /** How long a connection is in use before the server is asked whether it is there. */
  askAfterMs: number;
  /** How long it has for the answer. */
  answerWithinMs: number;
};

/**
 * Ends connections in use whose server is cut off without a word: TCP by itself goes on for a quarter of an hour. One that is only slow, as in
 * a long migration, is left to it.
 */
export function watchInUse(pool: pg.Pool, config: pg.ClientConfig, times: WatchTimes): void {
  const inUse = new Map<pg.PoolClient, NodeJS.Timeout>();
  let asking: Promise<boolean> | null = null;

  /** On a connection of its own; one for all that wait. */
  const isThere = (): Promise<boolean> => {
    asking ??= answers({ ...config, connectionTimeoutMillis: times.answerWithinMs }).finally(() => {
      asking = null;
    });
    return asking;
  };
  const check = async (client: pg.PoolClient) => {
    const timer = inUse.get(client);
    if (!(await isThere()) && inUse.get(client) === timer) void client.end().catch(() => {});
  };

  pool.on('acquire', (client) => {
    const timer = setInterval(() => void check(client), times.askAfterMs);
    inUse.set(client, timer.unref());
  });
  pool.on('release', (_error, client) => {
    clearInterval(inUse.get(client));
    inUse.delete(client);
  });
}

/** A server that refuses is there, too. */
async function answers(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    void client.end().catch(() => {});
  }
}
