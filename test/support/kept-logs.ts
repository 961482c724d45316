/*
 * Logs of a whole run. `npm test` names a folder for them and scans it at the end: no secret that a
 * test used may be in any log. Without a folder, as when a single file is run, nothing is kept.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createLog, type Log } from '../../src/shared/log.ts';
import { SECRETS_FILE } from '../../src/start/tests/log-scan.ts';

const folder = process.env['TROUPE_TEST_LOGS'];

/** Names of fields and settings whose values are secrets. */
const SECRET = /^(.*_)?(key|token|secret|password)$/i;
/** Shorter values, such as `x`, stand in many a line. */
const SHORTEST = 8;
/** The service shows and logs this in place of a secret. */
const MASK = '[hidden]';
/** Tests also send thousands of brackets. */
const DEEPEST = 10;

/** Writes everything to the folder, and to nothing else. */
export function keptLog(name: string): Log {
  if (!folder) return createLog({ name, level: 'silent' });
  const file = openSync(path.join(folder, `${name}-${randomUUID()}.log`), 'a');
  return createLog({ name, level: 'trace' }, { write: (line) => void writeSync(file, line) });
}

/** Keeps a service's logs and generated secrets before its data folder is removed. */
export function keepLogs(dataDir: string): void {
  const logs = path.join(dataDir, 'logs');
  if (!folder || !existsSync(logs)) return;
  cpSync(logs, path.join(folder, randomUUID()), { recursive: true });
  const keys = path.join(dataDir, 'service-keys.json');
  if (!existsSync(keys)) return;
  // The media server's key is a name, which each token shows; its secret signs them.
  const { mediaServerKey: _name, ...secrets } = JSON.parse(readFileSync(keys, 'utf8')) as object & {
    mediaServerKey?: string;
  };
  note(Object.values(secrets));
}

/** Notes the values of secret fields at any depth. */
export function noteSecrets(value: unknown): void {
  if (folder) note(secretsWithin(value));
}

function note(secrets: unknown[]): void {
  const findable = secrets.filter(
    (each) => typeof each === 'string' && each.length >= SHORTEST && each !== MASK,
  );
  const lines = findable.map((secret) => `${JSON.stringify(secret)}\n`).join('');
  if (lines !== '') appendFileSync(path.join(folder!, SECRETS_FILE), lines);
}

/** Notes the secret fields of a request and its answer, where these are JSON. */
export function noteSecretsOf(payload: unknown, { body }: { body: string }): void {
  if (!folder) return;
  noteSecrets(typeof payload === 'string' ? parsed(payload) : payload);
  noteSecrets(parsed(body));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function secretsWithin(value: unknown, levels = DEEPEST): unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if (levels === 0) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    SECRET.test(name) ? [inner] : secretsWithin(inner, levels - 1),
  );
}
