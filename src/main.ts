import { enableCompileCache, flushCompileCache } from 'node:module';
import { createLog } from '#shared/log.ts';
import { exitFailed } from '#shared/process/operator-error.ts';
import { consoleLink, pageLink } from '#shared/network/page-link.ts';
import { traceIdsFor } from '#shared/tracing/tracer.ts';
import { onUncaught } from '#shared/process/uncaught.ts';
import type { App } from './app.ts';
import { loadConfig, oldNameWarnings } from './config.ts';

/** Longer than any request may take. */
const CLOSE_WITHIN_MS = 10_000;

try {
  const config = loadConfig(process.env);
  // Halves the time to load. Applies only to imports after it.
  enableCompileCache();
  const { createApp } = await import('./app.ts');
  // Node writes it on exit, which a killed process skips. No request waits yet.
  flushCompileCache();
  const traceIds = traceIdsFor(config);
  const log = createLog({ name: 'control', level: config.LOG_LEVEL, traceIds });
  for (const line of oldNameWarnings(process.env)) log.warn(line);
  // `npm start` runs the workers, too.
  const sharesDataDir = process.send !== undefined;
  const app = await createApp(config, { logging: { log, traceIds } }, { sharesDataDir });
  await app.welcome();
  const address = await app.listen();
  const close = closeOnSignal(app);
  onUncaught((error, kind) => {
    log.fatal({ err: error }, kind);
    close(1);
  });
  await announce(app, address, config.PUBLIC_URL ?? address);
} catch (error) {
  exitFailed(error);
}

/** Returns a function that closes and exits with the highest code asked for. */
function closeOnSignal(app: App): (code: number) => void {
  let highest = 0;
  const close = (code: number) => {
    highest = Math.max(highest, code);
    // unref: must not keep a closed process alive.
    setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref();
    app.close().then(() => process.exit(highest), exitFailed);
  };
  process.once('SIGTERM', () => close(0));
  process.once('SIGINT', () => close(0));
  // Without its supervisor, nothing else would stop this process.
  if (process.connected) process.once('disconnect', () => close(0));
  return close;
}

/** Tells the supervisor by IPC, which shows key and link; without one, prints them. */
async function announce(
  { newKey, pageCode, newConsoleCode, defaultModels }: App,
  address: string,
  publicUrl: string,
): Promise<void> {
  if (process.send) {
    const consoleCode = await newConsoleCode();
    process.send({
      type: 'ready',
      address,
      pageCode,
      models: await defaultModels(),
      ...(consoleCode !== null && { consoleCode }),
      ...(newKey !== null && { newKey }),
    });
    return;
  }
  process.stdout.write(`Troupe is ready at ${address}\n`);
  if (newKey !== null) process.stdout.write(`Your API key (shown only once): ${newKey}\n`);
  // Only to a person: collected logs have other readers, and an unused code stays valid.
  if (!process.stdout.isTTY) return;
  process.stdout.write(`The page, for one browser: ${pageLink(publicUrl, pageCode)}\n`);
  const code = await newConsoleCode();
  if (code !== null)
    process.stdout.write(`The console, once, as owner: ${consoleLink(publicUrl, code)}\n`);
}
