import Type from 'typebox';
import { DEFAULT_POOL } from '#protocol/pool.ts';
import { COMMON_SETTINGS } from '#shared/config.ts';
import { DEFAULT_PORT } from '#shared/network/default-port.ts';

/** Settings of every worker. */
export const WORKER_SETTINGS = {
  ...COMMON_SETTINGS,
  /** The control plane's address; the gateway is below it. */
  CONTROL_URL: Type.String({
    default: `http://127.0.0.1:${DEFAULT_PORT}`,
    pattern: '^(https?|wss?)://',
  }),
  WORKER_TOKEN: Type.String({ minLength: 1 }),
  /** Accounts can be limited to the workers of one pool. */
  WORKER_POOL: Type.String({ minLength: 1, maxLength: 100, default: DEFAULT_POOL }),
  /** Longest drain before the sessions are handed to other workers; at most one week. */
  DRAIN_SECONDS: Type.Integer({ minimum: 0, maximum: 604_800, default: 3600 }),
  /**
   * After this many sessions the worker exits as soon as it is idle, to be restarted: the media
   * server's client leaks some memory per session. 0: never.
   */
  RENEW_AFTER_SESSIONS: Type.Integer({ minimum: 0, default: 0 }),
};
