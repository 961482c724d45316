import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { delay, type Clock } from '#shared/clock.ts';
import { checkDataFolder } from './data-folder.ts';
import type { Guard } from './processes/guard.ts';
import { findMediaServer } from './media-server/media-server.ts';
import {
  chooseMediaPorts,
  isLoopback,
  mediaServerLaunch,
  nodeAddressOf,
} from './media-server/media-server-launch.ts';
import { isTcpFree } from './media-server/media-server-ports.ts';
import { buildPages } from './build/pages.ts';
import type { Launch } from './processes/program.ts';
import type { Say } from './messages/progress.ts';
import { keptKeys, type ServiceKeys } from './service-keys.ts';

/** A killed start may hold the port until its guard has ended it. */
const PORT_PATIENCE_MS = 2_500;
const POLL_MS = 40;
const PAGES = fileURLToPath(new URL('../web/vite.config.ts', import.meta.url));

export type Preparation = {
  config: Config;
  env: Record<string, string | undefined>;
  clock: Clock;
  guard: Guard;
  say: Say;
  signal: AbortSignal;
};

/** Prepared before the first program starts. `launch` is null for an external media server. */
export type Plan = {
  keys: ServiceKeys;
  isNewSecret: boolean;
  mediaServer: { url: string; launch: Launch | null };
};

export async function prepare(preparation: Preparation): Promise<Plan> {
  const { config, env, guard, say, signal } = preparation;
  await checkDataFolder(config.DATA_DIR);
  const { keys: storedKeys, isNewSecret } = keptKeys(config.DATA_DIR);
  const keys: ServiceKeys = {
    workerToken: config.WORKER_TOKEN ?? storedKeys.workerToken,
    mediaServerKey: config.LIVEKIT_API_KEY ?? storedKeys.mediaServerKey,
    mediaServerSecret: config.LIVEKIT_API_SECRET ?? storedKeys.mediaServerSecret,
  };
  await waitForPort(preparation);
  const [mediaServer] = await Promise.all([
    prepareMediaServer(keys, preparation),
    // An installed package holds the built pages, without their sources.
    existsSync(PAGES) ? buildPages({ env, guard, say, signal }) : null,
  ]);
  return { keys, isNewSecret, mediaServer };
}

async function prepareMediaServer(
  keys: ServiceKeys,
  { config, env, guard, say, signal }: Preparation,
): Promise<Plan['mediaServer']> {
  if (config.LIVEKIT_URL) {
    if (config.LIVEKIT_API_KEY && config.LIVEKIT_API_SECRET) {
      return { url: config.LIVEKIT_URL, launch: null };
    }
    throw new Error(
      'LIVEKIT_URL is set: LIVEKIT_API_KEY and LIVEKIT_API_SECRET of that media server must be set too.',
    );
  }
  const [binary, ports, nodeAddress] = await Promise.all([
    findMediaServer({ env, guard, say, signal }),
    chooseMediaPorts(config.LIVEKIT_PORT, say),
    isLoopback(config.HOST) ? undefined : nodeAddressOf(config.LIVEKIT_PUBLIC_URL),
  ]);
  return {
    url: `ws://${localHost(config.HOST)}:${ports.signalling}`,
    launch: mediaServerLaunch({
      binary: binary.file,
      ports,
      keys,
      host: config.HOST,
      nodeAddress,
      path: env['PATH'],
    }),
  };
}

async function waitForPort({ config, clock, signal }: Preparation): Promise<void> {
  if (config.PORT === 0) return;
  const until = clock.elapsed() + PORT_PATIENCE_MS;
  while (!(await isTcpFree(config.PORT, config.HOST))) {
    if (clock.elapsed() > until) {
      throw new Error(
        `Port ${config.PORT} is taken: stop what listens there, or set PORT to another one.`,
      );
    }
    await delay(clock, POLL_MS, signal);
  }
}

/** The address at which this machine reaches a server that listens on `host`. */
export function localHost(host: string): string {
  if (isLoopback(host) || host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
