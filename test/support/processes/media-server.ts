import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { newName, newSecret } from '#shared/ids.ts';
import { findMediaServer } from '../../../src/start/media-server/media-server.ts';
import { mediaServerLaunch } from '../../../src/start/media-server/media-server-launch.ts';
import { freeMediaPorts, mediaPorts } from '../../../src/start/media-server/media-server-ports.ts';
import { comeFirst } from '../../../src/start/processes/priority.ts';
import { randomPort } from './free-port.ts';

export type RunningMediaServer = {
  url: string;
  apiKey: string;
  apiSecret: string;
  stop(): Promise<void>;
};

/** A media server alone, on free ports of this machine. Stop it in `afterAll`. */
export async function startMediaServer(): Promise<RunningMediaServer> {
  const file =
    process.env['TROUPE_MEDIA_SERVER'] ??
    (await findMediaServer({ env: process.env, say: () => {} })).file;
  const first = await freeMediaPorts(randomPort());
  const keys = { workerToken: '', mediaServerKey: newName('test'), mediaServerSecret: newSecret() };
  const { command, args, env } = mediaServerLaunch({
    binary: file,
    ports: mediaPorts(first),
    keys,
    host: '127.0.0.1',
    path: process.env['PATH'],
  });
  const server = spawn(command, args, { env, stdio: 'ignore' });
  if (server.pid !== undefined) comeFirst(server.pid);
  const url = `ws://127.0.0.1:${first}`;
  await answering(url.replace('ws', 'http'));
  return {
    url,
    apiKey: keys.mediaServerKey,
    apiSecret: keys.mediaServerSecret,
    async stop() {
      const gone = once(server, 'exit');
      // SIGTERM would wait for participants to leave.
      server.kill('SIGKILL');
      await gone;
    },
  };
}

async function answering(address: string): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  for (;;) {
    const reply = await fetch(address).catch(() => null);
    if (reply?.ok) return;
    if (performance.now() > giveUpAt) throw new Error('the media server did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
