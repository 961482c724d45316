import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Launch } from '../processes/program.ts';
import {
  areFree,
  DEFAULT_PORT,
  freeMediaPorts,
  mediaPorts,
  type MediaPorts,
} from './media-server-ports.ts';
import type { Say } from '../messages/progress.ts';
import type { ServiceKeys } from '../service-keys.ts';

const LOOPBACK = '127.0.0.1';

/** LIVEKIT_PORT if set, else 7880 or the next free port. */
export async function chooseMediaPorts(byHand: number | undefined, say: Say): Promise<MediaPorts> {
  if (byHand !== undefined) {
    const ports = mediaPorts(byHand);
    if (await areFree(ports)) return ports;
    throw new Error(
      `LIVEKIT_PORT=${byHand}: the media server needs the ports ${ports.signalling}, ${ports.tcp} (TCP) and ${ports.udp} (UDP), and one of them is taken.`,
    );
  }
  const firstPort = await freeMediaPorts(DEFAULT_PORT);
  if (firstPort !== DEFAULT_PORT) {
    say(
      `Port ${DEFAULT_PORT} (or one of the two after it) is taken: the media server uses ${firstPort} to ${firstPort + 2}.`,
    );
  }
  return mediaPorts(firstPort);
}

/** Above every load, of which 1 is the highest. */
const AGENT_TARGET_LOAD = 2;

type MediaServerPlace = {
  binary: string;
  ports: MediaPorts;
  keys: ServiceKeys;
  /** HOST. With a loopback address, media stays on this machine. */
  host: string;
  /** The address at which browsers on other machines reach the media server. */
  nodeAddress?: string | undefined;
  path: string | undefined;
};

export function mediaServerLaunch(place: MediaServerPlace): Launch {
  return {
    command: place.binary,
    args: [],
    // Nothing else: it reads every variable that begins with LIVEKIT_. The secret stays off the
    // command line.
    env: { PATH: place.path, LIVEKIT_CONFIG: JSON.stringify(mediaServerConfig(place)) },
    ipc: false,
  };
}

/**
 * Its YAML configuration as JSON, which is YAML. `--dev` would bind only signalling to loopback and
 * send media elsewhere.
 */
export function mediaServerConfig({ ports, keys, host, nodeAddress }: MediaServerPlace) {
  const local = isLoopback(host);
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const address = local ? LOOPBACK : nodeAddress;
  return {
    port: ports.signalling,
    bind_addresses: local ? [LOOPBACK] : [host],
    keys: { [keys.mediaServerKey]: keys.mediaServerSecret },
    logging: { json: true, level: 'info' },
    // By default, a LiveKit agent on a machine that is more than 70 % busy is never offered a job.
    // Agents report for themselves when they take no more.
    agents: { target_load: AGENT_TARGET_LOAD },
    rtc: {
      // The server binds its TCP port on every address, whatever bind_addresses says. 0: no media
      // over TCP.
      tcp_port: isEverywhere ? ports.tcp : 0,
      udp_port: ports.udp,
      use_external_ip: false,
      // With a node address, the server names it in place of every address that it has, and keeps
      // the first of them: loopback, which no other machine reaches.
      enable_loopback_candidate: local || !nodeAddress,
      // Minimum time between two key frame requests to a publisher (500 ms by default). The server
      // drops earlier requests and repeats them only after 200 ms, while a face that moved to
      // another worker stands still. The encoder answers once a frame at most, every 40 ms.
      pli_throttle: { low_quality: '40ms', mid_quality: '40ms', high_quality: '40ms' },
      ...(local && { interfaces: { includes: ['lo', 'lo0'] } }),
      // Clients that reach this address need no STUN server. By default they get Google's, by name:
      // a third party learns of each client, and without DNS each attempt blocks a thread and
      // sockets of a worker. This port does not answer UDP: WebRTC takes everything from a STUN
      // server's address for STUN answers, so media must not come from it.
      ...(address && { node_ip: address, stun_servers: [`${address}:${ports.signalling}`] }),
    },
  };
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

/** The address in LIVEKIT_PUBLIC_URL. Names are resolved, because media needs an address. */
export async function nodeAddressOf(publicUrl: string | undefined): Promise<string | undefined> {
  if (!publicUrl) return undefined;
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return host;
  try {
    return (await lookup(host, { family: 4 })).address;
  } catch (cause) {
    throw new Error(`LIVEKIT_PUBLIC_URL: ${host} cannot be resolved`, { cause });
  }
}
