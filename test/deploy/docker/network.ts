/*
 * Two network namespaces: a server with an address that is not private, and a machine that reaches
 * it. Ports and firewalls of the tests stay in them.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { command } from '../command.ts';
import type { Transcript } from '../transcript.ts';

/** Addresses for documentation (RFC 5737). */
export const SERVER = { namespace: 'troupe-server', device: 'troupe-s', address: '203.0.113.1' };
export const VIEWER = { namespace: 'troupe-viewer', device: 'troupe-v', address: '203.0.113.2' };

export async function openNetwork(transcript: Transcript, names: string[]): Promise<void> {
  transcript.atEnd('remove the network', closeNetwork);
  await closeNetwork();
  for (const { namespace } of [SERVER, VIEWER]) await ip('netns', 'add', namespace);
  const peer = ['peer', 'name', VIEWER.device, 'netns', VIEWER.namespace];
  await ip('link', 'add', SERVER.device, 'netns', SERVER.namespace, 'type', 'veth', ...peer);
  for (const { namespace, device, address } of [SERVER, VIEWER]) {
    await ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', device);
    await ip('-n', namespace, 'link', 'set', device, 'up');
    await ip('-n', namespace, 'link', 'set', 'lo', 'up');
    // `ip netns exec` shows these files as those of /etc.
    await mkdir(`/etc/netns/${namespace}`, { recursive: true });
    const lines = ['127.0.0.1 localhost', `${SERVER.address} ${names.join(' ')}`, ''];
    await writeFile(`/etc/netns/${namespace}/hosts`, lines.join('\n'));
  }
}

async function closeNetwork(): Promise<void> {
  for (const { namespace } of [SERVER, VIEWER]) {
    await ip('netns', 'delete', namespace).catch(() => {});
    await rm(`/etc/netns/${namespace}`, { recursive: true, force: true });
  }
}

/** The command line that runs a program in a namespace. */
export const inside = (namespace: string, ...line: string[]): [string, string[]] => [
  'ip',
  ['netns', 'exec', namespace, ...line],
];

const ip = (...args: string[]) => command('ip', args);
