import { command } from '../command.ts';
import { VIEWER } from './network.ts';
import { dockerPrograms } from './tools.ts';

/** A strict firewall: programs on the viewer's machine reach TCP port 443 only. */
export async function onlyPort443(): Promise<void> {
  await rule('--append', 'OUTPUT', '--out-interface', 'lo', '--jump', 'ACCEPT');
  await rule('--append', 'OUTPUT', '--protocol', 'tcp', '--dport', '443', '--jump', 'ACCEPT');
  await rule('--policy', 'OUTPUT', 'DROP');
}

export async function forgetFirewall(): Promise<void> {
  await rule('--policy', 'OUTPUT', 'ACCEPT');
  await rule('--flush');
}

async function rule(...args: string[]): Promise<void> {
  const line = [`--net=/run/netns/${VIEWER.namespace}`, 'iptables', ...args];
  await command('nsenter', line, { env: await dockerPrograms() });
}
