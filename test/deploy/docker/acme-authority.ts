import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../../support/until.ts';
import { command } from '../command.ts';
import type { Transcript } from '../transcript.ts';
import { inside, VIEWER } from './network.ts';
import { goProgram, pebble } from './tools.ts';

const READY_MS = 20_000;

export type AcmeAuthority = {
  directory: string;
  /** Certificate of its own server, to be trusted by those who ask it for certificates. */
  serverCertificate: string;
  /** Root of the certificates that it gives. */
  root: string;
};

/**
 * Pebble on the viewer's machine. It checks names at ports 80 and 443, as a public authority does.
 */
export async function startAcmeAuthority(transcript: Transcript): Promise<AcmeAuthority> {
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-acme-'));
  const file = (name: string) => path.join(folder, name);
  transcript.atEnd('remove the authority', () => rm(folder, { recursive: true }));
  const names = ['-subj', '/CN=pebble', '-addext', `subjectAltName=IP:${VIEWER.address}`];
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', file('server.key')];
  await command('openssl', [
    'req',
    '-x509',
    ...key,
    ...names,
    '-days',
    '2',
    '-out',
    file('server.crt'),
  ]);
  const address = `https://${VIEWER.address}`;
  const settings = {
    listenAddress: `${VIEWER.address}:14000`,
    managementListenAddress: `${VIEWER.address}:15000`,
    certificate: file('server.crt'),
    privateKey: file('server.key'),
    httpPort: 80,
    tlsPort: 443,
  };
  await writeFile(file('settings.json'), JSON.stringify({ pebble: settings }));
  const line = [await goProgram(pebble), '-config', file('settings.json')];
  const [program, args] = inside(VIEWER.namespace, ...line);
  // Otherwise it waits up to 15 s before each check.
  const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1' };
  const server = spawn(program, args, { env, stdio: 'ignore' });
  transcript.atEnd('stop the authority', async () => {
    const exit = once(server, 'exit');
    server.kill('SIGKILL');
    await exit;
  });
  const fetchRoot = ['curl', '--silent', '--fail', '--cacert', file('server.crt')];
  await until(async () => {
    const query = inside(VIEWER.namespace, ...fetchRoot, `${address}:15000/roots/0`);
    const root = await command(...query).catch(() => '');
    await writeFile(file('root.crt'), root);
    return root !== '';
  }, READY_MS);
  return {
    directory: `${address}:14000/dir`,
    serverCertificate: file('server.crt'),
    root: file('root.crt'),
  };
}
