/*
 * `npm run simulate -- [WORKERS] [SLOTS]`: so many workers of each kind, without media, at a running control plane; each takes every session
 * and says at once that it has begun. For trying placement, limits and load; until Ctrl-C. CONTROL_URL and WORKER_TOKEN as for a real worker; without
 * them, those of `npm start` here.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { builtInAvatars } from '../../src/avatars/built-in-avatars.ts';
import { SimulatedWorker } from './simulated-worker.ts';

const [workers = 1, slots = 100] = process.argv.slice(2).map(Number);
const url = process.env['CONTROL_URL'] ?? 'http://127.0.0.1:8080';
const token = process.env['WORKER_TOKEN'] ?? keptToken();
const avatars = builtInAvatars()
  .all()
  .map(({ id }) => id);

for (let i = 0; i < workers; i++) {
  for (const kind of [{ kind: 'avatar', avatars }, { kind: 'agent' }] as const) {
    const worker = new SimulatedWorker({ url, token, slots, ...kind });
    await worker.join();
    void perform(worker);
  }
}
process.stdout.write(
  `${workers} avatar and ${workers} agent workers with ${slots} slots each at ${url}. Ctrl-C ends them.\n`,
);

async function perform(worker: SimulatedWorker): Promise<void> {
  while (worker.isConnected) {
    const { placement } = await worker.next('assign');
    await worker.started(placement);
  }
}

function keptToken(): string {
  const file = path.join(process.env['DATA_DIR'] ?? './data', 'service-keys.json');
  const { workerToken } = JSON.parse(readFileSync(file, 'utf8')) as { workerToken: string };
  return workerToken;
}
