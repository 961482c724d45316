import pg from 'pg';

export type WatchTimes = {
  /** A connection in use this long triggers a probe of the server. */
  askAfterMs: number;
  /** Timeout of the probe. */
  answerWithinMs: number;
};

/**
 * Closes connections in use whose server became unreachable without closing them; TCP alone would
 * wait for a quarter of an hour. A long query on a reachable server is left alone.
 */
export function watchInUse(pool: pg.Pool, config: pg.ClientConfig, times: WatchTimes): void {
  const inUse = new Map<pg.PoolClient, NodeJS.Timeout>();
  let probing: Promise<boolean> | null = null;

  /** Uses a new connection. Concurrent checks share one probe. */
  const isReachable = (): Promise<boolean> => {
    probing ??= probe({ ...config, connectionTimeoutMillis: times.answerWithinMs }).finally(() => {
      probing = null;
    });
    return probing;
  };
  const check = async (client: pg.PoolClient) => {
    const timer = inUse.get(client);
    if (!(await isReachable()) && inUse.get(client) === timer) void client.end().catch(() => {});
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

/** A server that rejects the connection is reachable, too. */
async function probe(config: pg.ClientConfig): Promise<boolean> {
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
