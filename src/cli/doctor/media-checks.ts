import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import type { Config } from '../../config.ts';
import { isLoopback } from '../../start/media-server/media-server-launch.ts';
import { locateMediaServer } from '../../start/media-server/media-server.ts';
import {
  areFree,
  DEFAULT_PORT,
  freeMediaPorts,
  isTcpFree,
  mediaPorts,
} from '../../start/media-server/media-server-ports.ts';
import type { Environment } from '../cli-context.ts';
import { fetchProblem } from '#shared/network/fetch-problem.ts';
import { ok, problem, warning, type Check } from './check.ts';
import { askStun, parseStunServer } from './stun.ts';

const TIMEOUT_MS = 3_000;

/**
 * PORT, and the three ports of the built-in media server. `isRunning`: the service answers at PORT.
 */
export async function checkPorts(config: Config, isRunning: boolean): Promise<Check> {
  const { PORT, HOST, LIVEKIT_URL, LIVEKIT_PORT } = config;
  if (isRunning) return ok('Ports', `${PORT} is used by the running service`);
  if (PORT !== 0 && !(await isTcpFree(PORT, HOST))) {
    return problem(
      'Ports',
      `${PORT} is taken by another program`,
      `Stop it (ss -ltnp | grep :${PORT} names it), or set PORT to another one.`,
    );
  }
  if (LIVEKIT_URL) return ok('Ports', `${PORT} is free`);
  const ports = mediaPorts(LIVEKIT_PORT ?? DEFAULT_PORT);
  const range = `${ports.signalling} to ${ports.udp}`;
  if (await areFree(ports)) return ok('Ports', `${PORT} and ${range} are free`);
  if (LIVEKIT_PORT === undefined) {
    const freePort = await freeMediaPorts(DEFAULT_PORT);
    return warning(
      'Ports',
      `${range} are taken: the media server would use ${freePort} to ${freePort + 2}`,
      'Set LIVEKIT_PORT if your firewall needs fixed ports.',
    );
  }
  return problem(
    'Ports',
    `one of ${range} is taken`,
    'Set LIVEKIT_PORT to the first of three free ports.',
  );
}

/** The media server of LIVEKIT_URL answers, or a binary is there to start. */
export async function checkMediaServer(
  config: Config,
  env: Environment,
): Promise<{ check: Check; date: number | null }> {
  const { LIVEKIT_URL: url } = config;
  if (url) {
    const address = url.replace(/^ws/, 'http');
    try {
      const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      const date = Date.parse(response.headers.get('date') ?? '');
      return {
        check: ok('Media server', `${url} answers`),
        date: Number.isNaN(date) ? null : date,
      };
    } catch (error) {
      const fix = 'Start it, or correct LIVEKIT_URL; its port must be open for this machine.';
      return { check: problem('Media server', `${url}: ${fetchProblem(error)}`, fix), date: null };
    }
  }
  const binary = await locateMediaServer(env);
  if (binary) return { check: ok('Media server', binary.file), date: null };
  const fix =
    'Connect this machine to a network for the first start, install livekit-server (https://docs.livekit.io) or Go (https://go.dev/dl), or set LIVEKIT_URL.';
  return {
    check: warning('Media server', 'none yet: the first start downloads or builds it', fix),
    date: null,
  };
}

/** A datagram reaches this machine at the address that media uses. */
export async function checkUdp(config: Config): Promise<Check> {
  const address = isLoopback(config.HOST) ? '127.0.0.1' : outerAddress();
  try {
    await sendToSelf(address);
    return ok('UDP', `datagrams reach ${address}`);
  } catch (error) {
    return problem(
      'UDP',
      `${address}: ${fetchProblem(error)}`,
      'Let the firewall of this machine accept UDP; without it, media needs TCP or TURN.',
    );
  }
}

/** `turnAddress`: a TURN server to ask. */
export async function checkTurn(
  config: Config | null,
  turnAddress: string | undefined,
): Promise<Check> {
  if (turnAddress !== undefined) {
    const server = parseStunServer(turnAddress);
    if (!server) {
      return problem(
        'TURN',
        `'${turnAddress}' is not the address of a TURN server`,
        'Write it like turns:turn.example.com:443.',
      );
    }
    try {
      await askStun(server, TIMEOUT_MS);
      return ok('TURN', `${turnAddress} answers`);
    } catch (error) {
      const fix = `Open port ${server.port} (${server.transport}) at its firewall, and check its name and certificate.`;
      return problem('TURN', `${turnAddress}: ${fetchProblem(error)}`, fix);
    }
  }
  if (config && isLoopback(config.HOST) && !config.PUBLIC_URL && !config.LIVEKIT_PUBLIC_URL) {
    return ok('TURN', 'not needed: only this machine reaches the service');
  }
  return warning(
    'TURN',
    'not checked',
    'Viewers behind strict firewalls need it: run this again with --turn turns:turn.example.com:443.',
  );
}

/** The first address at which other machines reach this one. */
const outerAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';

function sendToSelf(address: string): Promise<void> {
  const socket = createSocket('udp4');
  return new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('a datagram did not arrive')), TIMEOUT_MS);
    socket.once('close', () => clearTimeout(late));
    socket.once('error', reject);
    socket.once('message', () => resolve());
    socket.bind(0, address, () => socket.send('troupe', socket.address().port, address));
  }).finally(() => socket.close());
}
