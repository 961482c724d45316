import type { BuiltApp } from './build-app.ts';
import { until } from './until.ts';

/** Resolves when a request waits for a slot. */
export const someoneWaits = ({ app }: BuiltApp): Promise<void> =>
  until(async () =>
    (await app.server.inject({ url: '/metrics' })).body.includes('troupe_fleet{count="waiting"} 1'),
  );
