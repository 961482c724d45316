/* The inspector of another process of Node's: opened by a signal, closed afterwards. */
import { WebSocket } from 'ws';
import { pause } from './pause.ts';

/** Where every process of Node's listens once it has had the signal; one at a time. */
const INSPECTOR = 'http://127.0.0.1:9229/json/list';
const POLL_MS = 50;
const TRIES = 100;
/** From within, a moment later: it waits for its connections to close. */
const CLOSE =
  "setTimeout(() => process.getBuiltinModule('node:inspector').close(), 100).unref(), null";

export type Ask = (method: string, params?: object) => Promise<unknown>;

export async function withInspector<Result>(
  pid: number,
  use: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await inspectorUrl(), { maxPayload: 2 ** 28 });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let last = 0;
  const ask: Ask = (method, params = {}) => askSocket(socket, ++last, method, params);
  try {
    const result = await use(ask);
    await ask('Runtime.evaluate', { expression: CLOSE });
    return result;
  } finally {
    socket.terminate();
    await untilClosed();
  }
}

async function inspectorUrl(): Promise<string> {
  for (let tried = 0; tried < TRIES; tried++) {
    const reply = await fetch(INSPECTOR).catch(() => null);
    if (reply) {
      const [target] = (await reply.json()) as { webSocketDebuggerUrl: string }[];
      return target!.webSocketDebuggerUrl;
    }
    await pause(POLL_MS);
  }
  throw new Error('no inspector listens on port 9229');
}

/** Else the next process's would find the port taken, and this one would answer for it. */
async function untilClosed(): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    if (!(await fetch(INSPECTOR).catch(() => null))) return;
    await pause(POLL_MS);
  }
  throw new Error('an inspector goes on listening on port 9229');
}

function askSocket(
  socket: WebSocket,
  id: number,
  method: string,
  params: object,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const listen = (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { id?: number; result?: unknown };
      if (message.id !== id) return;
      socket.off('message', listen);
      resolve(message.result);
    };
    socket.on('message', listen);
    socket.once('close', () => reject(new Error('the inspector went away')));
    socket.send(JSON.stringify({ id, method, params }));
  });
}
