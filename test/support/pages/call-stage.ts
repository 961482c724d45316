/*
 * A service for pages that call an agent: a control plane and a media server, with plain faces and a scripted agent instead of workers.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PlainFaces } from '../agents/plain-faces.ts';
import { ScriptedAgents } from '../agents/scripted-agent.ts';
import { keepLogs, noteSecrets } from '../kept-logs.ts';
import { startControlProcess } from '../processes/control-process.ts';
import { runningServices } from '../processes/failed-journey.ts';
import { startMediaServer, type RunningMediaServer } from '../processes/media-server.ts';
import { serviceApi, type ServiceApi } from '../processes/service-api.ts';

const TROUPE_API_KEY = 'test-key-of-the-first-account';
const WORKER_TOKEN = 'a token that workers know';

export type CallStage = ServiceApi & {
  address: string;
  mediaServer: RunningMediaServer;
  /** Answer each typed line by `You wrote: ...`. */
  agents: ScriptedAgents;
  /** Nora, an agent of the account. */
  agentId: string;
  close(): Promise<void>;
};

/** With one slot: a second caller has to wait. Close it in `afterAll`. */
export async function openCallStage({
  greeting,
  env = {},
}: {
  greeting: string;
  env?: Record<string, string>;
}): Promise<CallStage> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-calls-'));
  const logs = path.join(dataDir, 'logs');
  await mkdir(logs);
  runningServices.add(dataDir);
  const mediaServer = await startMediaServer();
  const secrets = { TROUPE_API_KEY, WORKER_TOKEN, LIVEKIT_API_SECRET: mediaServer.apiSecret };
  noteSecrets(secrets);
  const control = await startControlProcess(
    {
      ...secrets,
      DATA_DIR: dataDir,
      LIVEKIT_URL: mediaServer.url,
      LIVEKIT_API_KEY: mediaServer.apiKey,
      // Tests poll often.
      REQUESTS_PER_MINUTE: '1000000',
      ...env,
    },
    { logFile: path.join(logs, 'control.log') },
  );
  const { url: address } = control;
  const faces = await PlainFaces.join({ address }, WORKER_TOKEN, { slots: 1 });
  const agents = await ScriptedAgents.join({ address }, WORKER_TOKEN, {
    greeting,
    answer: (text) => `You wrote: ${text}`,
  });
  const service = serviceApi(address, TROUPE_API_KEY);
  const { id: agentId } = await service.make('/v1/agents', { name: 'Nora', avatar_id: 'nora' });
  return {
    ...service,
    address,
    mediaServer,
    agents,
    agentId,
    async close() {
      await agents.close();
      await faces.close();
      await control.stop();
      await mediaServer.stop();
      runningServices.delete(dataDir);
      keepLogs(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
