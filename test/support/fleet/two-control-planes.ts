import { API_KEY, WORKER_TOKEN } from '../api/build-app.ts';
import { startControlProcess, type ControlProcess } from '../processes/control-process.ts';
import { newPlace, type Place } from '../records/database.ts';
import { RedisServer } from '../records/redis.ts';

export type TwoControlPlanes = {
  planes: [ControlProcess, ControlProcess];
  redis: RedisServer;
  place: Place;
  close(): Promise<void>;
};

/** Two processes on the same records. `isBare`: they create the tables. The owner closes them. */
export async function startTwoControlPlanes(
  settings: Record<string, string> = {},
  { isBare = false } = {},
): Promise<TwoControlPlanes> {
  const redis = await RedisServer.open();
  const place = await newPlace({ isBare });
  const env = {
    ...place.env,
    REDIS_URL: redis.url,
    TROUPE_API_KEY: API_KEY,
    TROUPE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    WORKER_TOKEN,
    ...settings,
  };
  const firstPlane = startControlProcess(env);
  // Only PostgreSQL allows both to create the tables.
  if (!isBare) await firstPlane;
  const planes: TwoControlPlanes['planes'] = await Promise.all([
    firstPlane,
    startControlProcess(env),
  ]);
  return {
    planes,
    redis,
    place,
    async close() {
      await Promise.all(planes.map((plane) => plane.kill()));
      await place.remove();
      await redis.close();
    },
  };
}
