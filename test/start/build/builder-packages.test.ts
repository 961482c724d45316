import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { installBuilder } from '../../../src/start/build/builder-packages.ts';
import { until } from '../../support/until.ts';
import { gone } from '../processes/children.ts';

let folder: string;
let requestFile: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-builder-'));
  requestFile = path.join(folder, 'asked');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/**
 * A folder with a lockfile, and an npm that writes its process id to `asked`, then runs the script.
 */
async function builder(script: string): Promise<string> {
  const npm = path.join(folder, 'npm-cli.js');
  await writeFile(
    npm,
    `require('node:fs').writeFileSync(${JSON.stringify(requestFile)}, String(process.pid)); ${script}`,
  );
  vi.stubEnv('npm_execpath', npm);
  const site = path.join(folder, 'site');
  await mkdir(site);
  const packages = { '': {}, 'node_modules/a': { integrity: 'sha512-1' } };
  await writeFile(path.join(site, 'package-lock.json'), JSON.stringify({ packages }));
  return site;
}

const FOREVER = 'setInterval(() => {}, 1000);';
const say = (): void => {};

describe('the installation of what builds the documentation', () => {
  test('does not begin after a stop', async () => {
    const site = await builder(FOREVER);

    const installing = installBuilder(site, { say, signal: AbortSignal.abort('stopped') });

    await expect(installing).rejects.toBe('stopped');
    expect(existsSync(requestFile)).toBe(false);
  });

  test('ends with a stop, and so does npm', async () => {
    const site = await builder(FOREVER);
    const stop = new AbortController();
    const installing = installBuilder(site, { say, signal: stop.signal });
    await until(() => existsSync(requestFile));
    const pid = Number(await readFile(requestFile, 'utf8'));

    stop.abort('stopped');

    await expect(installing).rejects.toBe('stopped');
    await gone(pid);
  });

  test('says which installation failed', async () => {
    const site = await builder('process.exit(3);');

    await expect(installBuilder(site, { say })).rejects.toThrow(
      /^npm ci in .*site failed \(exit 3\)/,
    );
  });

  test('is left out when everything is there', async () => {
    const site = await builder(FOREVER);
    await mkdir(path.join(site, 'node_modules'));
    const lock = await readFile(path.join(site, 'package-lock.json'));
    await writeFile(path.join(site, 'node_modules/.package-lock.json'), lock);

    await installBuilder(site, { say });

    expect(existsSync(requestFile)).toBe(false);
  });
});
