import { enableCompileCache } from 'node:module';
import type { App } from './app.ts';
import { loadConfig } from './config.ts';

/** Longer than any request may take. */
const CLOSE_WITHIN_MS = 10_000;

// Shortens the start by a third. Applies only to imports after it.
enableCompileCache();
const { createApp } = await import('./app.ts');

try {
  const app = await createApp(loadConfig(process.env));
  const address = await app.listen();
  closeOnSignal(app);
  announce(address, app.newKey);
} catch (error) {
  fail(error);
}

function closeOnSignal(app: App): void {
  const close = () => {
    // unref: must not keep a closed process alive.
    setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref();
    app.close().then(() => process.exit(0), fail);
  };
  process.once('SIGTERM', close);
  process.once('SIGINT', close);
  // Without its supervisor, nothing else would stop this process.
  if (process.connected) process.once('disconnect', close);
}

/** Tells the supervisor by IPC, which shows the key; without one, prints both. */
function announce(address: string, newKey: string | null): void {
  if (process.send) {
    process.send({ type: 'ready', address, ...(newKey !== null && { newKey }) });
    return;
  }
  process.stdout.write(`Troupe is ready at ${address}\n`);
  if (newKey !== null) process.stdout.write(`Your API key (shown only once): ${newKey}\n`);
}

function fail(error: unknown): never {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
}
