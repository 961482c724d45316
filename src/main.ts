import { enableCompileCache } from 'node:module';
import { readCommand } from '#shared/command-line.ts';
import type { App } from './app.ts';
import { loadConfig } from './config.ts';

readCommand({
  usage: `Usage: npm run control

Runs one control plane: API, worker gateway and pages. \`npm start\` runs it together with a media server and workers.
Settings are environment variables; .env.example lists them. WORKER_TOKEN is required, and with LIVEKIT_URL its key and secret.`,
});

/** Longer than any request may take: what is not closed by then never will be. */
const CLOSE_WITHIN_MS = 10_000;

// Takes a third off the start. It only helps what is imported after it.
enableCompileCache();
const { createApp } = await import('./app.ts');

try {
  const app = await createApp(loadConfig(process.env));
  const address = await app.listen();
  closeWhenTold(app);
  tellReady(address, app.newKey);
} catch (error) {
  fail(error);
}

function closeWhenTold(app: App): void {
  const close = () => {
    // Held by nothing else, so that it does not keep a process alive that is done.
    setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref();
    app.close().then(() => process.exit(0), fail);
  };
  process.once('SIGTERM', close);
  process.once('SIGINT', close);
  // The supervisor is gone: nobody would ever stop this process.
  if (process.connected) process.once('disconnect', close);
}

/** A supervisor hears it by IPC and shows the key; without one, the person at the terminal reads it here, this once. */
function tellReady(address: string, newKey: string | null): void {
  if (process.send) {
    process.send({ type: 'ready', address, ...(newKey !== null && { newKey }) });
    return;
  }
  process.stdout.write(`Troupe answers at ${address}\n`);
  if (newKey !== null) process.stdout.write(`Your API key, shown only now: ${newKey}\n`);
}

function fail(error: unknown): never {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
}
