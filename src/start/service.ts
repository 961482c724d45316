import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENT_WORKER_SETTINGS } from '../../workers/agent/config.ts';
import { AVATAR_WORKER_SETTINGS } from '../../workers/avatar/config.ts';
import { childEnvironment } from '#shared/process/child-environment.mjs';
import { delay, inTime } from '#shared/clock.ts';
import { pageLink } from '#shared/network/page-link.ts';
import type { DefaultModels } from '#shared/process/default-models.ts';
import { CONTROL_SETTINGS } from '../config.ts';
import { CONTROL_FLAGS } from './control-flags.ts';
import { developmentServer } from './media-server/development-server.ts';
import { buildDocsBehind } from './build/docs.ts';
import { ollamaAddress } from './ollama-address.ts';
import { installSpeech, missingSpeech } from './default-speech.ts';
import { SPEECH_SETTINGS } from './speech-install.ts';
import { Programs } from './processes/programs.ts';
import { comeFirst, standBehind } from './processes/priority.ts';
import type { Launch, Program, ProgramSpec } from './processes/program.ts';
import { ProgramLog } from './processes/program-log.ts';
import { withProgress } from './messages/progress.ts';
import { localHost, prepare, type Plan, type Preparation } from './service-plan.ts';
import type { ProgramName, ServiceFacts, StartMessage } from './messages/start-messages.ts';

/*
 * The processes of one machine, started in order of dependency: media server, control plane,
 * workers. They close in reverse order, so that the last reports of workers are still received.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Together below five seconds, the limit for stopping. */
const GRACE_MS = { agent: 800, worker: 2_000, control: 1_500, 'media-server': 500 };
const CARRY_MEDIA: ReadonlySet<string> = new Set(['media-server', 'worker']);
const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 40;
/** A program that fails this often before the service was ready will not recover. */
const FAILED_STARTS = 3;
/** After this many consecutive failures, a person should look. */
const CRASH_LOOP = 5;

type ServiceOptions = Preparation & { notify: (message: StartMessage) => void };

type ControlReady = {
  type: 'ready';
  address: string;
  pageCode: string;
  consoleCode?: string;
  newKey?: string;
  models: DefaultModels;
};

export class Service {
  readonly #options: ServiceOptions;
  readonly #logs = new Map<string, ProgramLog>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #controlReady = Promise.withResolvers<ControlReady>();
  readonly #registered = {
    worker: Promise.withResolvers<void>(),
    agent: Promise.withResolvers<void>(),
  };
  #programs: Programs | null = null;
  #isReady = false;
  /**
   * Programs that exited in order and have not been restarted: a worker hands its sessions over
   * first.
   */
  readonly #leftInOrder = new Set<string>();
  /** Raises the priority of a program that loads while sessions run, by name. */
  readonly #comingForward = new Map<string, () => void>();
  /** Run in the background; the signal ends them. */
  #installing: Promise<void>[] = [];

  constructor(options: ServiceOptions) {
    this.#options = options;
    // `start` awaits it; otherwise the failure has been printed already.
    this.#failed.promise.catch(() => {});
  }

  /** AGENT_SLOTS=0: users run their own agents. */
  get #hasAgents(): boolean {
    return this.#options.env['AGENT_SLOTS'] !== '0';
  }

  async start(): Promise<ServiceFacts> {
    const { signal } = this.#options;
    const plan = await prepare(this.#options);
    signal.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    aborted.catch(() => {});
    const facts = await Promise.race([this.#launch(plan), this.#failed.promise, aborted]);
    this.#isReady = true;
    const { config, env, guard, say } = this.#options;
    const forSpeech = {
      dataDir: config.DATA_DIR,
      env: childEnvironment(env, SPEECH_SETTINGS),
      guard,
      say,
      signal,
    };
    const installing = this.#hasAgents ? missingSpeech(forSpeech) : [];
    this.#installing = [
      buildDocsBehind({ env, guard, say, signal }),
      ...(this.#hasAgents && !env['SPEECH_DIR'] ? [installSpeech(forSpeech)] : []),
    ];
    return { ...facts, installing };
  }

  async close(): Promise<void> {
    await this.#programs?.close();
    await Promise.all(this.#installing);
    for (const log of this.#logs.values()) log.close();
    this.#logs.clear();
  }

  async #launch({
    keys,
    isNewSecret,
    mediaServer,
  }: Plan): Promise<Omit<ServiceFacts, 'installing'>> {
    const { config, env, say } = this.#options;
    this.#programs = this.#createPrograms();
    const { launch } = mediaServer;
    if (launch) this.#start('media-server', 'SIGTERM', () => launch);

    const alsoAllowed = developmentServer(config);
    const forControl = {
      // It installs the packages that run speech models.
      ...childEnvironment(env, [...CONTROL_SETTINGS, 'PIP_*']),
      ...(alsoAllowed && { ALLOWED_MEDIA_SERVERS: alsoAllowed }),
      // The workers of this start are on the same machine.
      OLLAMA: config.OLLAMA ?? ollamaAddress(config.OLLAMA_HOST) ?? 'off',
      LIVEKIT_URL: mediaServer.url,
      LIVEKIT_PUBLIC_URL: config.LIVEKIT_PUBLIC_URL ?? mediaServer.url,
      LIVEKIT_API_KEY: keys.mediaServerKey,
      LIVEKIT_API_SECRET: keys.mediaServerSecret,
      WORKER_TOKEN: keys.workerToken,
    };
    let port = String(config.PORT);
    this.#start('control', 'SIGTERM', () =>
      nodeLaunch('src/main.ts', { ...forControl, PORT: port }, CONTROL_FLAGS),
    );
    // A restarted control plane must keep its port, even if the first one was any free port. With a
    // known port the worker need not wait: both load for a second, one on each core, and the worker
    // retries until it is connected.
    if (config.PORT === 0) port = new URL((await this.#controlReady.promise).address).port;
    const address = `http://${localHost(config.HOST)}:${port}`;

    const forWorker = (settings: readonly string[]) => ({
      // Otherwise each of the media engine's many threads keeps the memory that it has freed.
      MALLOC_ARENA_MAX: '2',
      RENEW_AFTER_SESSIONS: '500',
      ...childEnvironment(env, settings),
      CONTROL_URL: address,
      WORKER_TOKEN: keys.workerToken,
    });
    const forAvatar = forWorker(AVATAR_WORKER_SETTINGS);
    this.#start('worker', 'SIGINT', () => nodeLaunch('workers/avatar/main.ts', forAvatar));
    const forAgent = forWorker(AGENT_WORKER_SETTINGS);
    if (this.#hasAgents)
      this.#start('agent', 'SIGINT', () => nodeLaunch('workers/agent/main.ts', forAgent));
    const control = await this.#controlReady.promise;
    await withProgress(say, 'Waiting for an avatar worker', async (detail) => {
      // Requests meanwhile would take processor time from the programs that start.
      await this.#untilRegistered('worker');
      await this.#untilReady(`${address}/readyz`, detail);
    });
    if (this.#hasAgents)
      await withProgress(say, 'Waiting for an agent worker', () => this.#untilRegistered('agent'));
    return {
      address,
      ...(control.newKey && { newKey: control.newKey }),
      pageCode: control.pageCode,
      ...(control.consoleCode && { consoleCode: control.consoleCode }),
      ...(this.#hasAgents && { models: control.models }),
      mediaServer: {
        url: mediaServer.url,
        apiKey: keys.mediaServerKey,
        apiSecret: keys.mediaServerSecret,
        isNew: isNewSecret,
      },
      dataDir: path.resolve(config.DATA_DIR),
    };
  }

  #start(name: ProgramName, stopSignal: NodeJS.Signals, launch: () => Launch): void {
    const spec: ProgramSpec = { name, launch, stopSignal, graceMs: GRACE_MS[name] };
    this.#programs?.start(spec);
  }

  #createPrograms(): Programs {
    const { clock, guard, notify } = this.#options;
    return new Programs(guard, clock, {
      up: ({ name }, pid) => {
        // Running sessions take precedence over a program that no session waits for.
        const mayWait = this.#leftInOrder.delete(name) || name === 'control';
        if (this.#isReady && mayWait) this.#standBehind(name, pid);
        else if (CARRY_MEDIA.has(name)) comeFirst(pid);
        notify({ type: 'program', name, pid });
      },
      down: (program, _pid, failures, how) => {
        this.#comeForward(program.name);
        if (how === 'exit 0') this.#leftInOrder.add(program.name);
        notify({ type: 'program', name: program.name, pid: null });
        if (failures > 0) this.#onDeath(program, failures, how);
      },
      message: ({ name }, message) => {
        if (!isReady(message)) return;
        this.#comeForward(name);
        if (name === 'control') this.#onControlReady(message);
        if (name === 'worker' || name === 'agent') this.#registered[name].resolve();
      },
      output: ({ name }, stream, text) => this.#logFor(name).write(stream, text),
    });
  }

  #onControlReady(message: ControlReady): void {
    const { config, say } = this.#options;
    this.#controlReady.resolve(message);
    // The code of the link that the start printed was known to the former process only.
    if (this.#isReady) {
      const { address, pageCode } = message;
      say(`New link to the page: ${pageLink(config.PUBLIC_URL ?? address, pageCode)}`);
    }
  }

  #standBehind(name: string, pid: number): void {
    const endWaiting = standBehind(pid, this.#options.clock);
    this.#comingForward.set(name, () => {
      endWaiting?.();
      if (CARRY_MEDIA.has(name)) comeFirst(pid);
    });
  }

  #comeForward(name: string): void {
    this.#comingForward.get(name)?.();
    this.#comingForward.delete(name);
  }

  #onDeath(program: Program, failures: number, how: string): void {
    const { say } = this.#options;
    const log = this.#logFor(program.name);
    const words = [...log.last.map((line) => `    ${line}`), `    full log: ${log.file}`].join(
      '\n',
    );
    if (!this.#isReady && failures >= FAILED_STARTS) {
      this.#failed.reject(new Error(`${program.name} failed to start (${how}):\n${words}`));
    } else if (failures >= CRASH_LOOP) {
      say(
        `${program.name} keeps exiting (${how}, ${failures} times in a row) and is restarted each time:\n${words}`,
      );
    } else {
      say(`${program.name} exited (${how}); restarting it.`);
    }
  }

  #logFor(name: string): ProgramLog {
    const { config, env, say } = this.#options;
    const openLog = this.#logs.get(name);
    if (openLog) return openLog;
    const log = new ProgramLog({
      folder: path.resolve(config.DATA_DIR, 'logs'),
      name,
      // By default a person sees warnings and errors only.
      level: env['LOG_LEVEL'] ?? 'warn',
      // During the start programs miss each other, which is normal. If the start fails, the last
      // lines are printed.
      show: (line) => this.#isReady && say(line),
    });
    this.#logs.set(name, log);
    return log;
  }

  /** Workers report by IPC. Their failures are handled like those of any program. */
  async #untilRegistered(name: 'worker' | 'agent'): Promise<void> {
    const { clock, config } = this.#options;
    const late = () =>
      new Error(
        `The ${name} program cannot reach the control plane. Logs: ${path.resolve(config.DATA_DIR, 'logs')}`,
      );
    await inTime(clock, READY_TIMEOUT_MS, this.#registered[name].promise, late);
  }

  async #untilReady(url: string, detail: (text: string) => void): Promise<void> {
    const { clock, signal } = this.#options;
    const until = clock.elapsed() + READY_TIMEOUT_MS;
    for (;;) {
      const answer = await readiness(url);
      if (answer === 'ready') return;
      detail(answer);
      if (clock.elapsed() > until) {
        throw new Error(
          `The service is not ready: ${answer}. Logs: ${path.resolve(this.#options.config.DATA_DIR, 'logs')}`,
        );
      }
      await delay(clock, POLL_MS, signal);
    }
  }
}

async function readiness(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const text = await response.text();
    return response.ok ? 'ready' : text.trim().slice(0, 200);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Node's own type stripping starts a quarter of a second faster than tsx. */
function nodeLaunch(
  file: string,
  env: Record<string, string | undefined>,
  flags: readonly string[] = ['--disable-warning=ExperimentalWarning'],
): Launch {
  const args = [...flags, path.join(root, file)];
  return { command: process.execPath, args, env, ipc: true };
}

const isReady = (message: unknown): message is ControlReady =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
