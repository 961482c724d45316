/*
 * Loaded into each process of a soak before its own code (`--import`). Takes orders at a socket in
 * SOAK_FOLDER. Worker threads and native code keep the true time and names.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { createServer, isIP } from 'node:net';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { socketOf, type Measured, type Order } from './orders.ts';

const MB = 1024 ** 2;

let offsetMs = 0;
let areNamesBroken = false;

if (isMainThread) {
  jumpable();
  breakable();
  takeOrders();
}

function jumpable(): void {
  const trueNow = Date.now;
  const now = () => trueNow() + offsetMs;
  Date.now = now;
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    apply: () => new Date(now()).toString(),
  });
}

/** Names under `localhost` are this machine, which not every resolver knows. */
function breakable(): void {
  const { lookup } = dns;
  type Callback = (error: NodeJS.ErrnoException | null, ...results: unknown[]) => void;
  type Lookup = (hostname: string, options: object, callback: Callback) => void;
  const resolve = (hostname: string, argument: object | Callback, callback?: Callback): void => {
    const [options, answer] =
      callback === undefined ? [{}, argument as Callback] : [argument, callback];
    if (areNamesBroken && isIP(hostname) === 0) {
      const error = Object.assign(new Error(`getaddrinfo EAI_AGAIN ${hostname}`), {
        code: 'EAI_AGAIN',
      });
      return process.nextTick(answer, error);
    }
    const resolvedName = hostname.endsWith('.localhost') ? '127.0.0.1' : hostname;
    (lookup as Lookup)(resolvedName, options, answer);
  };
  // With the mark by which `promisify` names the results.
  for (const symbol of Object.getOwnPropertySymbols(lookup))
    Object.defineProperty(resolve, symbol, Object.getOwnPropertyDescriptor(lookup, symbol)!);
  dns.lookup = resolve as typeof dns.lookup;
  syncBuiltinESMExports();
}

function takeOrders(): void {
  const folder = process.env['SOAK_FOLDER'];
  if (folder === undefined) throw new Error('SOAK_FOLDER is not set');
  createServer((socket) => {
    createInterface(socket).on('line', (line) => {
      socket.write(`${JSON.stringify(follow(JSON.parse(line) as Order))}\n`);
    });
  })
    .listen(socketOf(folder, process.pid))
    .unref();
}

function follow(order: Order): Measured | null {
  switch (order.type) {
    case 'clock':
      offsetMs = order.offsetMs;
      return null;
    case 'names':
      areNamesBroken = order.areBroken;
      return null;
    case 'measure':
      return measured();
  }
}

function measured(): Measured {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  // Timers come and go.
  const handles = process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout');
  return { heapMb: heapUsed / MB, residentMb: rss / MB, handles: handles.length };
}
