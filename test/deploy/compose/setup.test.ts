import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-setup-'));
  await cp('deploy/compose', folder, { recursive: true });
  await rm(path.join(folder, '.env'), { force: true });
});
afterEach(() => rm(folder, { recursive: true }));

/** Docker need not be installed: the script lists missing parts at the end. */
function setup(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('./setup', args, { cwd: folder, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

const readSettings = () => readFile(path.join(folder, '.env'), 'utf8');

describe('deploy/compose/setup', () => {
  test('makes secrets that nobody else can read', async () => {
    setup('--local', '--node-ip', '203.0.113.1');

    const settings = await readSettings();
    expect(settings).toMatch(/^TROUPE_SECRET_KEY=[A-Za-z0-9+/]{43}=$/m);
    expect(settings).toMatch(/^WORKER_TOKEN=[0-9a-f]{48}$/m);
    expect((await stat(path.join(folder, '.env'))).mode & 0o077).toBe(0);
    expect((await stat(path.join(folder, 'authority/ca.key'))).mode & 0o077).toBe(0);
  });

  test('keeps secrets and settings of its operator', async () => {
    setup('--local', '--node-ip', '203.0.113.1');
    const oldSettings = await readSettings();
    await writeFile(path.join(folder, '.env'), `${oldSettings}WORKER_SLOTS=3\nDRAIN_SECONDS=900\n`);

    setup();

    const newSettings = await readSettings();
    expect(newSettings).toContain('WORKER_SLOTS=3');
    // A worker hands its sessions over within 15 seconds after the drain.
    expect(newSettings).toContain('DRAIN_SECONDS=900\nSTOP_GRACE=945s');
    for (const line of oldSettings
      .split('\n')
      .filter((one) => /^(TROUPE|POSTGRES|LIVEKIT)_/.test(one)))
      expect(newSettings).toContain(line);
  });

  test('changes nothing when it only checks', async () => {
    setup('--local', '--node-ip', '203.0.113.1');
    const oldSettings = await readSettings();

    setup('--check', '--local', 'other.test');

    expect(await readSettings()).toBe(oldSettings);
  });

  test('says that the address of before is no longer right', () => {
    setup('--local', '--node-ip', '203.0.113.1');

    const { output } = setup('--check', '--node-ip', '203.0.113.2');

    expect(output).toContain('NODE_IP in .env is 203.0.113.1 instead of 203.0.113.2');
  });

  test.each([
    [['--domain', 'Nowhere'], "'Nowhere' is not a name"],
    [['--domain', 'a.test', '--email', 'nobody'], "'nobody' is not an e-mail address."],
    [['--domain', 'a.test'], '--email is missing.'],
    [['--node-ip', 'here', '--local'], 'No IPv4 address is known'],
    [['--loud'], "Unexpected argument '--loud'."],
  ])('refuses %j and says why', (args, why) => {
    const { status, output } = setup(...args);

    expect(output).toContain(why);
    expect(output).toContain('Usage: ./setup');
    expect(status).toBe(2);
  });

  test('names a record that is missing in DNS', () => {
    const answers = ['--domain', 'troupe.invalid', '--email', 'me@troupe.test'];

    const { status, output } = setup(...answers, '--node-ip', '203.0.113.1');

    expect(output).toContain('turn.troupe.invalid leads nowhere: add a DNS record of type A');
    expect(status).toBe(1);
  });
});
