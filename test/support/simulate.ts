import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readCommand } from '#shared/process/command-line.ts';
import { exitFailed, OperatorError } from '#shared/process/operator-error.ts';
import { builtInAvatars } from '../../src/avatars/built-in-avatars.ts';
import { SimulatedWorker } from './simulated-worker.ts';

const { positionals, number } = readCommand({
  usage: `Usage: npm run simulate [-- WORKERS [SLOTS]]

Connects WORKERS (default 1) simulated avatar workers and as many agent workers, with SLOTS (default 100) slots each, to a
control plane. They take every session, report it as started and send no media. For trying placement, limits and load. Ctrl-C
ends them.

CONTROL_URL and WORKER_TOKEN are those of a real worker. Defaults: http://127.0.0.1:8080 and the token that \`npm start\` keeps.`,
  positionals: { min: 0, max: 2 },
});
const workers = number('WORKERS', positionals[0] ?? '1', 1);
const slots = number('SLOTS', positionals[1] ?? '100', 1);
const url = process.env['CONTROL_URL'] ?? 'http://127.0.0.1:8080';
const token = process.env['WORKER_TOKEN'] ?? keptToken();
const avatars = builtInAvatars()
  .all()
  .map(({ id }) => id);

for (let i = 0; i < workers; i++) {
  for (const kind of [{ kind: 'avatar', avatars }, { kind: 'agent' }] as const) {
    const worker = new SimulatedWorker({ url, token, slots, ...kind });
    await worker.join().catch((cause: Error) => {
      exitFailed(
        new OperatorError(
          `No control plane answers at ${url} (${cause.message}): start it with \`npm start\`, or set CONTROL_URL.`,
          { cause },
        ),
      );
    });
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
