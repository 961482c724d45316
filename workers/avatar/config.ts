import Type, { type Static } from 'typebox';
import { readConfig, type Environment } from '#shared/config.ts';
import { WORKER_SETTINGS } from '../runtime/config.ts';

const WorkerConfig = Type.Object({
  ...WORKER_SETTINGS,
  /** Concurrent sessions. Default: four per core. */
  WORKER_SLOTS: Type.Integer({ minimum: 1 }),
  /** Limit for all bundles kept in DATA_DIR together. */
  BUNDLE_CACHE_MIB: Type.Integer({ minimum: 1, default: 1024 }),
});
export type WorkerConfig = Readonly<Static<typeof WorkerConfig>>;

/** Variables of the avatar worker. */
export const AVATAR_WORKER_SETTINGS = Object.keys(WorkerConfig.properties);

export const loadWorkerConfig = (env: Environment, cores: number): WorkerConfig =>
  readConfig(WorkerConfig, env, { WORKER_SLOTS: cores * 4 });
