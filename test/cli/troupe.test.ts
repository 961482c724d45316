import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runRole } from '../../src/start/bootstrap.mjs';
import { hasSmallDisks, SmallDisk } from '../support/processes/small-disk.ts';

const TROUPE = path.resolve('src/start/troupe.mjs');
const SUPERVISOR = path.resolve('src/start/supervisor.ts');
const { PATH = '' } = process.env;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Outcome = { code: number; stdout: string; stderr: string };

/** Runs a program in `folder` with no other settings. */
const run = (file: string, args: string[], env: Record<string, string> = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: { PATH, HOME: folder, ...env } };
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

const troupe = (args: string[], env?: Record<string, string>) => run(TROUPE, args, env);
const start = (env: Record<string, string>) =>
  run(SUPERVISOR, [], { VOICE: 'flite', HEARING: 'off', ...env });

describe('the command troupe', () => {
  test('takes settings from .env, unless the environment has them, and passes its exit code on', async () => {
    await writeFile(path.join(folder, '.env'), 'TROUPE_URL=http://127.0.0.1:9\nTROUPE_API_KEY=a\n');

    const { code, stderr } = await troupe(['session', 'list'], {
      TROUPE_URL: 'http://127.0.0.1:7',
    });

    // Without the key of the file, it would be 4.
    expect(code).toBe(3);
    expect(stderr).toContain('The service at http://127.0.0.1:7 does not answer');
  });

  test('names a settings file that does not exist', async () => {
    const { code, stderr } = await troupe(['--version'], { TROUPE_ENV_FILE: 'none' });

    expect(code).toBe(2);
    expect(stderr).toMatch(/^The settings file .*none cannot be read \(ENOENT\): correct .*\n$/);
  });

  test('ends quietly when its reader has enough', async () => {
    const shell = spawn('sh', ['-c', `"$0" ${TROUPE} --help | true; echo "$?"`, process.execPath], {
      cwd: folder,
      env: { PATH },
    });
    let errors = '';
    shell.stderr.on('data', (text) => (errors += String(text)));
    await once(shell, 'close');

    expect(errors).toBe('');
  });

  test('writes no colours into a pipe', async () => {
    const { stdout } = await troupe(['doctor'], { PORT: '0' });

    expect(stdout).toContain('Node');
    // oxlint-disable-next-line no-control-regex -- the escape that begins a colour
    expect(stdout).not.toMatch(/\u001b/);
  });
});

/** Downloads go through a proxy that does not exist. */
const NO_NETWORK = { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: 'http://127.0.0.1:9' };

/** Ends with one sentence that says what to do. */
const ENDS_SO = (problem: string, todo: string) =>
  new RegExp(`\\nTroupe cannot start\\. [^\\n]*${problem}[^\\n]*: [^\\n]*${todo}[^\\n]*\\.\\n`);

describe('a start that cannot succeed', () => {
  test('names the settings that it took, and a taken port', async () => {
    const portHolder = createServer().listen(0, '127.0.0.1');
    await once(portHolder, 'listening');
    const { port } = portHolder.address() as AddressInfo;
    await writeFile(
      path.join(folder, '.env'),
      `PORT=${port}\nTROUPE_API_KEY=key-of-the-settings-file\n`,
    );

    const { code, stdout } = await start({ HOST: '127.0.0.1' });
    portHolder.close();

    expect(code).toBe(1);
    expect(stdout).toMatch(/^Settings from .env: PORT, TROUPE_API_KEY\.\nSettings from the env/);
    expect(stdout).toMatch(ENDS_SO(`Port ${port} is taken`, 'set PORT to another one'));
    expect(stdout).not.toContain('key-of-the-settings-file');
  });

  test('through the command troupe has the same end', async () => {
    const data = path.join(folder, 'file');
    await writeFile(data, '');

    const { code, stdout } = await troupe(['start', '--data-dir', data, '--port', '0']);

    expect(code).toBe(1);
    expect(stdout).toMatch(ENDS_SO('is not a folder', 'set DATA_DIR to another folder'));
  });

  test('without a media server, Go and network', async () => {
    const { code, stdout } = await start({ PORT: '0', PATH: folder, ...NO_NETWORK });

    expect(code).toBe(1);
    expect(stdout).toMatch(/\nTroupe cannot start\. No media server is available:\n/);
    expect(stdout).toMatch(
      /\nConnect this machine to a network once, install .* a running media server\.\n/,
    );
  });

  test('with a wrong setting', async () => {
    const { code, stdout } = await start({ PORT: 'many' });

    expect(code).toBe(1);
    expect(stdout).toMatch(/^Settings from .*\nTroupe cannot start\. Configuration: PORT must be/m);
  });

  test('on an old Node', async () => {
    const errorLines: string[] = [];
    const { error } = console;
    console.error = (line: string) => errorLines.push(line);
    const old = { versions: { node: '16.20.2' }, platform: 'linux', arch: 'x64', execPath: '' };
    const unsupportedNode = { ...old, versions: { node: '20.1.0' }, platform: 'darwin' };
    const codes = [
      await runRole('supervisor', [], { folder, running: old }),
      await runRole('supervisor', [], { folder, running: unsupportedNode }),
    ];
    console.error = error;

    expect(codes).toEqual([1, 1]);
    expect(errorLines).toEqual([
      'Troupe needs Node 22.13 or newer, and this is Node 16.20.2: install Node 24 (https://nodejs.org) and run this command again.',
      expect.stringMatching(/^Troupe needs Node 24\. .* darwin x64: install Node 24 or newer/),
    ]);
  });
});

// Needs root on Linux, to mount a small file system (test/support/processes/small-disk.ts says so).
describe.skipIf(!hasSmallDisks)('a start on a disk', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = new SmallDisk(4);
  });
  afterEach(() => disk.close());

  test('that is full', async () => {
    disk.fill();

    const { code, stdout } = await start({ PORT: '0', DATA_DIR: path.join(disk.folder, 'data') });

    expect(code).toBe(1);
    expect(stdout).toMatch(ENDS_SO('is full', 'free some space, or set DATA_DIR'));
  });

  test('that is read-only', async () => {
    disk.makeReadOnly();

    const { code, stdout } = await start({ PORT: '0', DATA_DIR: path.join(disk.folder, 'data') });

    expect(code).toBe(1);
    expect(stdout).toMatch(ENDS_SO('is on a read-only file system', 'set DATA_DIR'));
  });
});
