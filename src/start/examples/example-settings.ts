import { systemClock } from '#shared/clock.ts';
import { OperatorError } from '#shared/process/operator-error.ts';
import type { Config } from '../../config.ts';
import { createLocalKey } from '../commands/local-keys.ts';
import { keptKeys } from '../service-keys.ts';
import { localHost } from '../service-plan.ts';

const KEY_MS = 24 * 3_600_000;
const DEFAULT_MEDIA_PORT = 7880;

type Environment = Record<string, string | undefined>;

/**
 * Facts about the running service that an example needs. Variables that are set keep their values.
 */
export async function exampleSettings(
  name: string,
  config: Config,
  env: Environment,
): Promise<Environment> {
  const { keys } = keptKeys(config.DATA_DIR);
  const address = env['TROUPE_URL'] ?? `http://${localHost(config.HOST)}:${config.PORT}`;
  await mustAnswer(address);
  const port = config.LIVEKIT_PORT ?? DEFAULT_MEDIA_PORT;
  return {
    TROUPE_URL: address,
    TROUPE_API_KEY: config.TROUPE_API_KEY ?? (await newKey(name, config)),
    LIVEKIT_URL: config.LIVEKIT_PUBLIC_URL ?? config.LIVEKIT_URL ?? `ws://127.0.0.1:${port}`,
    LIVEKIT_API_KEY: config.LIVEKIT_API_KEY ?? keys.mediaServerKey,
    LIVEKIT_API_SECRET: config.LIVEKIT_API_SECRET ?? keys.mediaServerSecret,
  };
}

async function newKey(name: string, config: Config): Promise<string> {
  const expiresAt = systemClock.now() + KEY_MS;
  const { text } = await createLocalKey(config, {
    name: `example ${name}`,
    scope: 'all',
    limits: { scopes: null, expiresAt, allowedNetworks: null },
    command: 'npm run example',
  });
  return text;
}

async function mustAnswer(address: string): Promise<void> {
  try {
    await fetch(new URL('/healthz', address));
  } catch (cause) {
    throw new OperatorError(
      `No service answers at ${address}: start it with \`npm start\` in another terminal, or set TROUPE_URL.`,
      { cause },
    );
  }
}
