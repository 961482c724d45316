import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isSevere, lineOf, readAudit } from '../../../src/start/audit/npm-audit.ts';

let registry: Server;
/** npm keeps what it has read about an advisory. */
let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(path.join(tmpdir(), 'troupe-npm-'));
});
afterEach(async () => {
  registry.close();
  registry.closeAllConnections();
  await rm(cache, { recursive: true });
});

type Advisory = { id: number; title: string; severity: string; vulnerable_versions: string };

/** A registry that knows these advisories by package; null: it answers no audits. */
async function open(advisories: Record<string, Advisory[]> | null): Promise<string> {
  registry = createServer((request, response) => {
    request.resume();
    if (!advisories) return void response.writeHead(405).end();
    const answer = request.method === 'GET' ? versionsOf(request.url!.slice(1)) : advisories;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  return `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
}

/** npm asks for the versions of a weak package, to tell which of them are weak. */
const versionsOf = (name: string) => ({
  name,
  'dist-tags': { latest: '99.0.0' },
  versions: { '99.0.0': { name, version: '99.0.0' } },
});

const run = (address: string, ...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['src/start/commands/audit.ts', ...args],
      { env: { ...process.env, npm_config_registry: address, npm_config_cache: cache } },
      (_error, output) => resolve({ code: child.exitCode ?? -1, output }),
    );
  });

const weakness = (severity: string): Advisory => ({
  id: 1,
  title: 'Reads what it should not',
  severity,
  vulnerable_versions: '*',
});

describe('npm run audit', () => {
  test('names a package with a severe weakness, and fails', async () => {
    const result = await run(await open({ fastify: [weakness('high')] }));

    expect(result.output).toContain('fastify (high): Reads what it should not.');
    expect(result.output).toContain('src/web/packages/package-lock.json: no known weaknesses');
    expect(result.code).toBe(1);
  });

  test.each([
    { args: [], code: 0 },
    { args: ['--required'], code: 1 },
  ])('says that the registry answers no audits: $args', async ({ args, code }) => {
    const result = await run(await open(null), ...args);

    expect(result.code).toBe(code);
    expect(result.output).toMatch(/package-lock\.json was not audited: 405/);
  });
});

const reportOf = (severity: string) =>
  JSON.stringify({
    vulnerabilities: {
      weak: { severity, via: [{ title: 'Reads too much' }], fixAvailable: true },
      user: { severity, via: ['weak'], fixAvailable: false },
    },
  });

describe('a report of npm', () => {
  test.each([
    { severity: 'moderate', isSevereOne: false },
    { severity: 'high', isSevereOne: true },
    { severity: 'critical', isSevereOne: true },
  ])('with a $severity weakness is read', ({ severity, isSevereOne }) => {
    const report = readAudit(reportOf(severity));

    const weakPackages = report.type === 'audited' ? report.weakPackages : [];
    expect(weakPackages.map(isSevere)).toEqual([isSevereOne, isSevereOne]);
    expect(weakPackages.map(lineOf)).toEqual([
      `weak (${severity}): Reads too much. A newer version fixes it.`,
      `user (${severity}): uses a package of this list. No version fixes it yet.`,
    ]);
  });

  test('that cannot be read is not taken for a clean one', () => {
    expect(readAudit('npm crashed')).toEqual({
      type: 'unavailable',
      reason: 'npm printed no report',
    });
  });
});
