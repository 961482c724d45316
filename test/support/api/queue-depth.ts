import type { BuiltApp } from './build-app.ts';
import { until } from '../until.ts';

/** Resolves when this many requests wait for a slot. */
export const queueDepthReaches = ({ app }: BuiltApp, depth = 1): Promise<void> =>
  until(async () =>
    (await app.server.inject({ url: '/metrics' })).body.includes(
      `troupe_queue_depth{kind="avatar",pool="default"} ${depth}\n`,
    ),
  );
