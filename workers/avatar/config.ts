import Type, { type Static } from 'typebox';
import { readConfig, type Environment } from '#shared/config.ts';
import { WORKER_SETTINGS } from '../runtime/config.ts';

const WorkerConfig = Type.Object({
  ...WORKER_SETTINGS,
  /** Sessions at once; by default four for each core. */
  WORKER_SLOTS: Type.Integer({ minimum: 1 }),
  /** How much the bundles that it keeps in DATA_DIR may be together. */
  BUNDLE_CACHE_MIB: Type.Integer({ minimum: 1, default: 1024 }),
});
export type WorkerConfig = Readonly<Static<typeof WorkerConfig>>;

export const loadWorkerConfig = (env: Environment, cores: number): WorkerConfig =>
  readConfig(WorkerConfig, env, { WORKER_SLOTS: cores * 4 });
