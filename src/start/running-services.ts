/*
 * A file for each service that this user runs on this machine, so that a command finds it from
 * another folder and at any port. Without a home that can be written, no service is found.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './cache-folder.ts';

type Environment = Record<string, string | undefined>;

export type RunningService = {
  /** The supervisor's. */
  pid: number;
  startedAt: number;
  address: string;
  dataDir: string;
};

/** Call the result when the service stops. */
export function announceService(env: Environment, service: RunningService): () => void {
  const folder = folderOf(env);
  if (folder === null) return () => {};
  const file = path.join(folder, `${service.pid}.json`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) removeIfEnded(path.join(folder, name));
    writeFileSync(file, JSON.stringify(service), { mode: 0o600 });
  } catch {
    // For example a read-only home. The service runs as well without.
    return () => {};
  }
  return () => rmSync(file, { force: true });
}

/** Latest start first. */
export function runningServices(env: Environment): RunningService[] {
  const folder = folderOf(env);
  if (folder === null) return [];
  return namesIn(folder)
    .flatMap((name) => read(path.join(folder, name)) ?? [])
    .toSorted((a, b) => b.startedAt - a.startedAt);
}

function folderOf(env: Environment): string | null {
  const cache = cacheFolder(env);
  return cache && path.join(cache, 'running');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function removeIfEnded(file: string): void {
  if (read(file) === null) rmSync(file, { force: true });
}

/** Null if the service was killed, or stops at this moment. */
function read(file: string): RunningService | null {
  try {
    const service = JSON.parse(readFileSync(file, 'utf8')) as RunningService;
    process.kill(service.pid, 0);
    return service;
  } catch {
    return null;
  }
}
