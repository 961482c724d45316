import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { command } from '../command.ts';
import { debianFiles } from '../docker/tools.ts';

/**
 * A home folder in which Chromium trusts an authority. Relayed media needs this: no flag of
 * Chromium's applies to it.
 */
export async function trustingHome(authority: string): Promise<string> {
  const tools = await debianFiles('nss', ['libnss3-tools', 'libnss3', 'libnspr4']);
  const home = await mkdtemp(path.join(tmpdir(), 'troupe-home-'));
  const store = path.join(home, '.pki/nssdb');
  await mkdir(store, { recursive: true });
  const env = { ...process.env, LD_LIBRARY_PATH: path.join(tools, 'usr/lib/x86_64-linux-gnu') };
  const certutil = (...args: string[]) =>
    command(path.join(tools, 'usr/bin/certutil'), ['-d', `sql:${store}`, ...args], { env });
  await certutil('-N', '--empty-password');
  await certutil('-A', '-t', 'C,,', '-n', 'troupe', '-i', authority);
  return home;
}
