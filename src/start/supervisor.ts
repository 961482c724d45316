import { systemClock } from '#shared/clock.ts';
import { loadSettingsFile } from '#shared/process/settings-file.ts';
import { onUncaught } from '#shared/process/uncaught.ts';
import { AGENT_WORKER_SETTINGS } from '../../workers/agent/config.ts';
import { AVATAR_WORKER_SETTINGS } from '../../workers/avatar/config.ts';
import { CONTROL_SETTINGS, loadConfig, oldNameWarnings, type Config } from '../config.ts';
import { Guard } from './processes/guard.ts';
import { announceService } from './running-services.ts';
import { Service } from './service.ts';
import { settingsReport } from './messages/settings-report.ts';
import type { StartMessage } from './messages/start-messages.ts';
import { welcome } from './messages/welcome.ts';

const KNOWN = [...CONTROL_SETTINGS, ...AVATAR_WORKER_SETTINGS, ...AGENT_WORKER_SETTINGS];

/*
 * Process entry of `npm start`, under Node 24. Ends on SIGINT, SIGTERM, SIGHUP, and when its parent
 * is gone.
 */
async function supervise(env: Record<string, string | undefined>): Promise<number> {
  const begunAt = systemClock.elapsed();
  // DATA_DIR holds secrets, speech and faces. Also applies to the programs, and to what they start.
  process.umask(0o077);
  // The terminal or the reader of our output may be gone; the programs must still be stopped.
  process.stdout.on('error', () => {});
  const config = readSettings(env);
  if (!config) return 1;

  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Ctrl-C arrives from the terminal and again from the bootstrap: the first one counts.
    process.on(signal, () => stop.abort(signal));
  }
  if (process.channel) process.once('disconnect', () => stop.abort('disconnect'));

  let code = 0;
  onUncaught((error, kind) => {
    const text = error instanceof Error ? error.stack : String(error);
    say(`Troupe stops because of an ${kind}: ${text}`);
    code = 1;
    stop.abort(kind);
  });

  const guard = new Guard(systemClock);
  const service = new Service({
    config,
    env,
    clock: systemClock,
    guard,
    say,
    notify,
    signal: stop.signal,
  });
  let withdraw: (() => void) | null = null;
  try {
    const facts = await service.start();
    const { address, dataDir } = facts;
    const startedAt = systemClock.now();
    withdraw = announceService(env, { pid: process.pid, startedAt, address, dataDir });
    say(welcome(facts, config, (systemClock.elapsed() - begunAt) / 1000));
    notify({ type: 'ready', service: facts });
    await aborted(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) {
      const reason = error instanceof Error ? error.message : String(error);
      say(`\nTroupe cannot start. ${reason}`);
      notify({ type: 'failed', reason });
      code = 1;
      // Ends parallel work, such as a build or a download.
      stop.abort('failed');
    }
  }
  if (code === 0) say('Stopping.');
  withdraw?.();
  await service.close();
  await guard.close();
  return code;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A test or another program may have started us with an IPC channel. */
function notify(message: StartMessage): void {
  if (process.connected) process.send?.(message);
}

function readSettings(env: Record<string, string | undefined>): Config | null {
  try {
    const file = loadSettingsFile();
    for (const line of settingsReport({ env, file, knownNames: KNOWN })) say(line);
    for (const line of oldNameWarnings(env)) say(line);
    return loadConfig(env);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(`Troupe cannot start. ${reason}`);
    return null;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

process.exitCode = await supervise(process.env);
if (process.connected) process.disconnect();
