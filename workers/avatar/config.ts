import Type, { type Static } from 'typebox';
import { readConfig, type Environment } from '#shared/config.ts';
import { QUALITY_NAMES } from '#protocol/qualities.ts';
import { WORKER_SETTINGS } from '../runtime/config.ts';

const WorkerConfig = Type.Object({
  ...WORKER_SETTINGS,
  /** Concurrent sessions. Default: four per core. */
  WORKER_SLOTS: Type.Integer({ minimum: 1 }),
  /** How far the picture's quality may fall while CPU time is short. `full`: not at all. */
  LOWEST_QUALITY: Type.Enum([...QUALITY_NAMES], { default: 'still_picture' }),
  /** Limit for all bundles kept in DATA_DIR together. */
  BUNDLE_CACHE_MIB: Type.Integer({ minimum: 1, default: 1024 }),
});
export type WorkerConfig = Readonly<Static<typeof WorkerConfig>>;

/** Variables of the avatar worker. */
export const AVATAR_WORKER_SETTINGS = Object.keys(WorkerConfig.properties);

export const loadWorkerConfig = (env: Environment, cores: number): WorkerConfig =>
  readConfig(WorkerConfig, env, { WORKER_SLOTS: cores * 4 });
