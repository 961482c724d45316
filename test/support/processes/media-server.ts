import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { RoomServiceClient } from 'livekit-server-sdk';
import { newName, newSecret } from '#shared/ids.ts';
import { findMediaServer } from '../../../src/start/media-server/media-server.ts';
import { mediaServerLaunch } from '../../../src/start/media-server/media-server-launch.ts';
import { freeMediaPorts, mediaPorts } from '../../../src/start/media-server/media-server-ports.ts';
import { comeFirst } from '../../../src/start/processes/priority.ts';
import { until } from '../until.ts';
import { randomPort } from './free-port.ts';

export type RunningMediaServer = {
  url: string;
  apiKey: string;
  apiSecret: string;
  pid: number;
  stop(): Promise<void>;
};

type Access = Pick<RunningMediaServer, 'url' | 'apiKey' | 'apiSecret'>;

/** Variables of a program that uses this media server. */
export const mediaServerEnv = ({ url, apiKey, apiSecret }: Access) => ({
  LIVEKIT_URL: url,
  LIVEKIT_API_KEY: apiKey,
  LIVEKIT_API_SECRET: apiSecret,
});

/** The rooms of this media server, as its operator manages them. */
export const roomsOf = ({ url, apiKey, apiSecret }: Access): RoomServiceClient =>
  new RoomServiceClient(url.replace('ws', 'http'), apiKey, apiSecret);

/** A media server alone, on free ports of this machine. Stop it in `afterAll`. */
export async function startMediaServer(): Promise<RunningMediaServer> {
  const file =
    process.env['TROUPE_MEDIA_SERVER'] ??
    (await findMediaServer({ env: process.env, say: () => {} })).file;
  const firstPort = await freeMediaPorts(randomPort());
  const keys = { workerToken: '', mediaServerKey: newName('test'), mediaServerSecret: newSecret() };
  const { command, args, env } = mediaServerLaunch({
    binary: file,
    ports: mediaPorts(firstPort),
    keys,
    host: '127.0.0.1',
    path: process.env['PATH'],
  });
  const server = spawn(command, args, { env, stdio: 'ignore' });
  if (server.pid !== undefined) comeFirst(server.pid);
  const url = `ws://127.0.0.1:${firstPort}`;
  const answers = async () => (await fetch(url.replace('ws', 'http'))).ok;
  await until(() => answers().catch(() => false));
  return {
    url,
    apiKey: keys.mediaServerKey,
    apiSecret: keys.mediaServerSecret,
    pid: server.pid!,
    async stop() {
      const exit = once(server, 'exit');
      // SIGTERM would wait for participants to leave.
      server.kill('SIGKILL');
      await exit;
    },
  };
}
