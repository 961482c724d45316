/* A control plane and a media server as processes, without supervisor and workers. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newSecret } from '#shared/ids.ts';
import { keepLogs, noteSecrets } from '../support/kept-logs.ts';
import { startControlProcess } from '../support/processes/control-process.ts';
import {
  mediaServerEnv,
  startMediaServer,
  type RunningMediaServer,
} from '../support/processes/media-server.ts';
import { serviceApi, type ServiceApi } from '../support/processes/service-api.ts';

export type ControlService = ServiceApi & {
  address: string;
  /** The control plane's process. */
  pid: number;
  apiKey: string;
  workerToken: string;
  dataDir: string;
  mediaServer: RunningMediaServer;
  close(): Promise<void>;
};

/** It logs into its data folder. The owner closes it. */
export async function startControlService(
  settings: Record<string, string> = {},
): Promise<ControlService> {
  const [apiKey, workerToken] = [newSecret(), newSecret()];
  const dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-control-'));
  const logs = path.join(dataDir, 'logs');
  await mkdir(logs);
  const mediaServer = await startMediaServer();
  const secrets = { TROUPE_API_KEY: apiKey, WORKER_TOKEN: workerToken, ...settings };
  noteSecrets({ ...secrets, secret: mediaServer.apiSecret });
  const env = {
    DATA_DIR: dataDir,
    ...mediaServerEnv(mediaServer),
    // Tests poll often.
    REQUESTS_PER_MINUTE: '1000000000',
    ...secrets,
  };
  const control = await startControlProcess(env, {
    logFile: path.join(logs, 'control.log'),
  }).catch(async (error: unknown) => {
    await mediaServer.stop();
    throw error;
  });
  return {
    ...serviceApi(control.url, apiKey),
    address: control.url,
    pid: control.pid,
    apiKey,
    workerToken,
    dataDir,
    mediaServer,
    async close() {
      await control.stop();
      await mediaServer.stop();
      keepLogs(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
