/*
 * One running service for all journeys of a vitest run that configure nothing. The run starts it
 * when the first journey asks for it, and stops it at its end. Each journey gets an account of its
 * own, so it sees only its own sessions, agents and keys.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import type { ProgramName, ServiceFacts } from '../../../src/start/messages/start-messages.ts';
import { newAccountKey } from '../api/operator-key.ts';
import { until } from '../until.ts';
import { runningServices } from './failed-journey.ts';
import { serviceApi } from './service-api.ts';
import { MOVING, startService, type RunningService } from './service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the `SharedFacts` of the run's service, started on the first request. */
    sharedService?: string;
  }
}

const TROUPE_ADMIN_PASSWORD = 'a password of the operator';
const PROGRAMS: ProgramName[] = ['control', 'worker', 'agent', 'media-server'];

type SharedFacts = ServiceFacts & { pids: Record<ProgramName, number> };

/** The global setup of projects with journeys. */
export default async function offerService({ provide, config }: TestProject) {
  let starting: Promise<RunningService> | undefined;
  const answer = async (): Promise<SharedFacts> => {
    starting ??= startService({
      env: { ...config.env, ...MOVING, TROUPE_ADMIN_PASSWORD, LOG_LEVEL: 'debug' },
    });
    const service = await starting;
    const pids = await Promise.all(PROGRAMS.map(async (name) => [name, await service.pid(name)]));
    const { address, pageCode, mediaServer, dataDir } = service;
    return { address, pageCode, mediaServer, dataDir, pids: Object.fromEntries(pids) };
  };
  const server = createServer((_request, response) => {
    answer().then(
      (facts) => response.end(JSON.stringify(facts)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  provide('sharedService', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    await (await starting)?.stop();
  };
}

type Sharing = {
  /** Only workers of this pool perform the account's sessions. */
  pool?: string;
  /** Key of an existing account. Default: a new account. */
  key?: string;
};

/** The run's service, with a new account, whose sessions `stop` ends. Call it in `afterAll`. */
export async function shareService({ pool, key }: Sharing = {}): Promise<RunningService> {
  const { pids: _, ...facts } = await readFacts();
  const { address, dataDir } = facts;
  runningServices.add(dataDir);
  const apiKey =
    key ??
    (await newAccountKey(address, TROUPE_ADMIN_PASSWORD, pool === undefined ? {} : { pool }));
  const service = serviceApi(address, apiKey);
  const pid = async (name: ProgramName) => (await readFacts()).pids[name];
  await service.hasFreeSlot();
  return {
    ...facts,
    ...service,
    apiKey,
    pid,
    async killProgram(name, signal = 'SIGKILL') {
      const oldPid = await pid(name);
      process.kill(oldPid, signal);
      await until(async () => (await pid(name)) !== oldPid);
      return pid(name);
    },
    logOf: (name) => readFile(path.join(dataDir, 'logs', `${name}.log`), 'utf8'),
    async stop() {
      await service.endSessions();
      runningServices.delete(dataDir);
    },
  };
}

async function readFacts(): Promise<SharedFacts> {
  const answer = await fetch(inject('sharedService')!);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as SharedFacts;
}
