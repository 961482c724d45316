import { isBehindProxy, type Config } from '../../config.ts';
import { isLoopback } from './media-server-launch.ts';

/** Where LiveKit's server listens when a developer starts it by hand. */
const DEVELOPMENT_SERVER = 'ws://127.0.0.1:7880';

/**
 * The media server of this machine that callers may name although the settings do not. Undefined if
 * callers on other machines reach the service.
 */
export const developmentServer = (config: Config): string | undefined =>
  isLoopback(config.HOST) && !isBehindProxy(config) && config.ALLOWED_MEDIA_SERVERS === undefined
    ? DEVELOPMENT_SERVER
    : undefined;
