/*
 * Workers without media, in their own process. They accept every session, start it at once and end
 * it after a delay.
 */
import { WebSocket } from 'ws';
import { parseGatewayMessage, writeMessage } from '#protocol/codec.ts';
import { GATEWAY_PATH } from '#protocol/worker/gateway-path.ts';
import type { Placement } from '#protocol/placement.ts';
import { PROTOCOL_VERSION, type WorkerMessage } from '#protocol/worker/worker-messages.ts';
import { newName } from '#shared/ids.ts';
import { answer, machineMs } from '../rpc.ts';

type Join = {
  url: string;
  token: string;
  avatarId: string;
  workers: number;
  slots: number;
  /** Length of a session. */
  performMs: number;
  /**
   * Interval of load reports and heartbeats, as in real workers. Absent: no load reports and no
   * heartbeats.
   */
  loadEveryMs?: number;
};

/** Concurrent connection attempts. */
const AT_ONCE = 100;

const sockets = new Set<WebSocket>();

/** Time of each session's assignment, by the machine's clock. */
let assignments: [sessionId: string, at: number][] = [];

async function join({ workers, ...worker }: Join): Promise<void> {
  let remainingCount = workers;
  const joinInTurn = async () => {
    while (remainingCount-- > 0) await joinOne(worker);
  };
  await Promise.all(Array.from({ length: Math.min(workers, AT_ONCE) }, joinInTurn));
}

function takeAssigned(): typeof assignments {
  const batch = assignments;
  assignments = [];
  return batch;
}

/** Disconnects in good order and forgets its assignments. */
async function leaveAll(): Promise<void> {
  const closings = [...sockets].map(
    (socket) => new Promise((resolve) => socket.once('close', resolve)),
  );
  for (const socket of sockets) socket.close(1000);
  await Promise.all(closings);
  takeAssigned();
}

function joinOne({
  url,
  token,
  avatarId,
  slots,
  performMs,
  loadEveryMs,
}: Omit<Join, 'workers'>): Promise<void> {
  const socket = new WebSocket(new URL(GATEWAY_PATH, url.replace(/^http/, 'ws')), {
    headers: { authorization: `Bearer ${token}` },
  });
  const say = (message: WorkerMessage) => socket.send(writeMessage(message));
  const performing = new Map<string, Placement>();
  const sayLoad = (detail: 'counts' | 'all') =>
    say({
      type: 'load',
      performing: performing.size,
      lateFrames: 0,
      draining: false,
      ...(detail === 'all' && { sessions: [...performing.values()] }),
    });
  const change = (change: () => void) => {
    change();
    if (loadEveryMs !== undefined) sayLoad('counts');
  };
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
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      const message = parseGatewayMessage((data as Buffer).toString());
      if (message.type === 'registered') {
        if (loadEveryMs !== undefined) {
          keepSaying(socket, loadEveryMs, sayLoad);
          if (message.beatEveryMs !== undefined)
            keepBeating(socket, message.beatEveryMs, performing);
        }
        resolve();
      }
      if (message.type === 'ping') say({ type: 'pong' });
      if (message.type !== 'assign') return;
      const { placement } = message;
      assignments.push([placement.sessionId, machineMs()]);
      const report = { id: newName('report'), placement, agoMs: 0 };
      say({ type: 'accepted', placement });
      change(() => performing.set(placement.sessionId, placement));
      say({ type: 'started', ...report });
      setTimeout(() => {
        if (socket.readyState !== WebSocket.OPEN) return;
        change(() => performing.delete(placement.sessionId));
        say({ type: 'ended', ...report, id: newName('report'), reason: 'agent_left' });
      }, performMs);
    });
  });
}

function keepSaying(
  socket: WebSocket,
  everyMs: number,
  sayLoad: (detail: 'counts' | 'all') => void,
): void {
  sayLoad('all');
  const timer = setInterval(() => sayLoad('all'), everyMs);
  socket.once('close', () => clearInterval(timer));
}

function keepBeating(
  socket: WebSocket,
  everyMs: number,
  performing: ReadonlyMap<string, Placement>,
): void {
  let lastSaid = 0;
  const timer = setInterval(() => {
    if (performing.size === 0 && lastSaid === 0) return;
    lastSaid = performing.size;
    socket.send(writeMessage({ type: 'beat', performing: lastSaid }));
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
}

answer({ join, takeAssigned, leaveAll });
