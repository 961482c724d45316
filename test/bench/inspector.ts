/* Inspector of another Node process: opened by a signal, closed afterwards. */
import { WebSocket } from 'ws';
import { pause } from './pause.ts';

/** Default port of Node's inspector; one process at a time. */
const INSPECTOR = 'http://127.0.0.1:9229/json/list';
const POLL_MS = 50;
const TRIES = 100;
/** Runs in the target a moment later, because closing waits for open connections. */
const CLOSE =
  "setTimeout(() => process.getBuiltinModule('node:inspector').close(), 100).unref(), null";

type Ask = (method: string, params?: object) => Promise<unknown>;

export async function withInspector<Result>(
  pid: number,
  use: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await inspectorUrl(), { maxPayload: 2 ** 28 });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let lastId = 0;
  const ask: Ask = (method, params = {}) => askSocket(socket, ++lastId, method, params);
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
  throw new Error('no inspector on port 9229');
}

/** Otherwise the next process finds the port taken, and this one answers for it. */
async function untilClosed(): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    if (!(await fetch(INSPECTOR).catch(() => null))) return;
    await pause(POLL_MS);
  }
  throw new Error('the inspector on port 9229 did not close');
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
    socket.once('close', () => reject(new Error('the inspector disconnected')));
    socket.send(JSON.stringify({ id, method, params }));
  });
}
