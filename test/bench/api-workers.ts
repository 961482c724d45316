/* Workers without media, in a process of their own: each takes every session, begins it at once and ends it a while later. */
import { WebSocket } from 'ws';
import { parseGatewayMessage, writeMessage } from '#protocol/codec.ts';
import { GATEWAY_PATH } from '#protocol/gateway-path.ts';
import { PROTOCOL_VERSION, type WorkerMessage } from '#protocol/worker-messages.ts';
import { newName } from '#shared/ids.ts';
import { answer, machineMs } from './rpc.ts';

type Join = {
  url: string;
  token: string;
  avatarId: string;
  workers: number;
  slots: number;
  /** How long a session goes on. */
  performMs: number;
};

/** As many as connect at a time. */
const AT_ONCE = 100;

/** When each session was assigned, by the machine's clock. */
let assigned: [sessionId: string, at: number][] = [];

async function join({ workers, ...given }: Join): Promise<void> {
  let left = workers;
  const joinInTurn = async () => {
    while (left-- > 0) await joinOne(given);
  };
  await Promise.all(Array.from({ length: Math.min(workers, AT_ONCE) }, joinInTurn));
}

function takeAssigned(): typeof assigned {
  const taken = assigned;
  assigned = [];
  return taken;
}

function joinOne({ url, token, avatarId, slots, performMs }: Omit<Join, 'workers'>): Promise<void> {
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
      assigned.push([placement.sessionId, machineMs()]);
      const report = { id: newName('report'), placement, agoMs: 0 };
      say({ type: 'accepted', placement });
      say({ type: 'started', ...report });
      setTimeout(() => {
        say({ type: 'ended', ...report, id: newName('report'), reason: 'agent_left' });
      }, performMs);
    });
  });
}

answer({ join, takeAssigned });
