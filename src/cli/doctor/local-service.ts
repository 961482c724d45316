import path from 'node:path';
import { DEFAULT_PORT } from '#shared/network/default-port.ts';
import { hasRecords } from '../../start/data-folder.ts';
import { runningServices, type RunningService } from '../../start/running-services.ts';
import type { Environment } from '../cli-context.ts';

/**
 * The running service that a person means. The service of this data folder comes first, at any
 * port. A folder without records takes a service that runs from another folder. Null: none runs.
 */
export function localService(env: Environment): RunningService | null {
  const dataDir = path.resolve(env['DATA_DIR'] || 'data');
  const services = runningServices(env);
  const own = services.find((service) => service.dataDir === dataDir);
  if (own) return own;
  if (hasRecords(dataDir) || env['DATABASE_URL']) return null;
  const port = env['PORT'];
  const expectedPort = port || String(DEFAULT_PORT);
  const atPort = services.find(({ address }) => portOf(address) === expectedPort);
  // A port that a person set means the service that would start there.
  return atPort ?? (port ? null : (services[0] ?? null));
}

/** The settings of this folder, with the port and the data folder of the service. */
export const settingsOf = (
  env: Environment,
  { address, dataDir }: RunningService,
): Environment => ({ ...env, PORT: portOf(address), DATA_DIR: dataDir });

const portOf = (address: string): string => new URL(address).port;
