/* Workers without media, in a process of their own: each takes every session, begins it at once and ends it a second later. */
import { WebSocket } from 'ws';
import { parseGatewayMessage, writeMessage } from '#protocol/codec.ts';
import { GATEWAY_PATH } from '#protocol/gateway-path.ts';
import { PROTOCOL_VERSION, type WorkerMessage } from '#protocol/worker-messages.ts';
import { newName } from '#shared/ids.ts';
import { answer } from './rpc.ts';

const PERFORM_MS = 1_000;

type Join = { url: string; token: string; avatarId: string; workers: number; slots: number };

async function join({ workers, ...given }: Join): Promise<void> {
  await Promise.all(Array.from({ length: workers }, () => joinOne(given)));
}

function joinOne({ url, token, avatarId, slots }: Omit<Join, 'workers'>): Promise<void> {
  const socket = new WebSocket(new URL(GATEWAY_PATH, url.replace(/^http/, 'ws')), {
    headers: { authorization: `Bearer ${token}` },
  });
  const say = (message: WorkerMessage) => socket.send(writeMessage(message));
  socket.on('open', () =>
    say({
      type: 'register',
      protocol: PROTOCOL_VERSION,
      workerId: newName('worker'),
      kind: 'avatar',
      slots,
      transports: ['mediaserver'],
      avatars: [avatarId],
      version: '0.0.0',
      performing: [],
    }),
  );
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      const message = parseGatewayMessage((data as Buffer).toString());
      if (message.type === 'registered') resolve();
      if (message.type === 'ping') say({ type: 'pong' });
      if (message.type !== 'assign') return;
      const { placement } = message;
      const report = { id: newName('report'), placement, agoMs: 0 };
      say({ type: 'accepted', placement });
      say({ type: 'started', ...report });
      setTimeout(() => {
        say({ type: 'ended', ...report, id: newName('report'), reason: 'agent_left' });
      }, PERFORM_MS);
    });
  });
}

answer({ join });
