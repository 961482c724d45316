import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  chooseMediaPorts,
  mediaServerConfig,
  mediaServerLaunch,
  nodeAddressOf,
} from '../../../src/start/media-server/media-server-launch.ts';
import { freeMediaPorts, mediaPorts } from '../../../src/start/media-server/media-server-ports.ts';

const keys = {
  workerToken: 'worker-token-of-the-test',
  mediaServerKey: 'troupe-key',
  mediaServerSecret: 'a-secret-of-thirty-two-letters-xx',
};
const place = { binary: '/bin/livekit-server', ports: mediaPorts(7880), keys, path: '/usr/bin' };

const portHolders: Server[] = [];
afterEach(async () => {
  for (const server of portHolders.splice(0)) await new Promise((done) => server.close(done));
});

async function take(port: number): Promise<void> {
  const server = createServer();
  portHolders.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
}

describe('ports of the media server', () => {
  test('are three in a row', async () => {
    const firstPort = await freeMediaPorts(41_000);

    expect(await chooseMediaPorts(firstPort, () => {})).toEqual({
      signalling: firstPort,
      tcp: firstPort + 1,
      udp: firstPort + 2,
    });
  });

  test('are the next three when one of three is taken', async () => {
    const firstPort = await freeMediaPorts(42_000);
    await take(firstPort + 1);

    expect(await freeMediaPorts(firstPort)).toBeGreaterThan(firstPort);
  });

  test('name all three in the error for a taken LIVEKIT_PORT', async () => {
    const firstPort = await freeMediaPorts(43_000);
    await take(firstPort);

    await expect(chooseMediaPorts(firstPort, () => {})).rejects.toThrow(
      `LIVEKIT_PORT=${firstPort}: the media server needs the ports ${firstPort}, ${firstPort + 1} (TCP) and ${firstPort + 2} (UDP)`,
    );
  });
});

/** The port for media over TCP; 0: none. */
const portOn = (host: string) => mediaServerConfig({ ...place, host }).rtc.tcp_port;

describe('the media server configuration', () => {
  test('keeps media on loopback when HOST is loopback', () => {
    expect(mediaServerConfig({ ...place, host: '127.0.0.1' })).toMatchObject({
      port: 7880,
      bind_addresses: ['127.0.0.1'],
      rtc: {
        tcp_port: 0,
        udp_port: 7882,
        node_ip: '127.0.0.1',
        enable_loopback_candidate: true,
        interfaces: { includes: ['lo', 'lo0'] },
      },
    });
  });

  test('offers jobs to LiveKit agents on a machine that is busy', () => {
    const { agents } = mediaServerConfig({ ...place, host: '127.0.0.1' });

    expect(agents.target_load).toBeGreaterThan(1);
  });

  test('lets clients resolve no name and take no media for STUN answers', () => {
    const localConfig = mediaServerConfig({ ...place, host: '127.0.0.1' });
    const addressConfig = mediaServerConfig({
      ...place,
      host: '0.0.0.0',
      nodeAddress: '203.0.113.7',
    });
    const unknown = mediaServerConfig({ ...place, host: '0.0.0.0' });

    expect(localConfig.rtc.stun_servers).toEqual(['127.0.0.1:7880']);
    expect(addressConfig.rtc.stun_servers).toEqual(['203.0.113.7:7880']);
    expect(unknown.rtc).not.toHaveProperty('stun_servers');
  });

  test('binds HOST and announces its public address for other machines', () => {
    const config = mediaServerConfig({ ...place, host: '0.0.0.0', nodeAddress: '203.0.113.7' });

    expect(config).toMatchObject({
      bind_addresses: ['0.0.0.0'],
      rtc: { node_ip: '203.0.113.7', tcp_port: 7881, enable_loopback_candidate: false },
    });
    expect(config.rtc).not.toHaveProperty('interfaces');
  });

  test('takes media over TCP only where HOST is every address, because it would listen on all', () => {
    expect(['127.0.0.1', 'localhost', '192.0.2.7'].map(portOn)).toEqual([0, 0, 0]);
    expect(['0.0.0.0', '::'].map(portOn)).toEqual([7881, 7881]);
  });

  test('announces the host of LIVEKIT_PUBLIC_URL', async () => {
    expect(await nodeAddressOf('wss://203.0.113.7:443')).toBe('203.0.113.7');
    expect(await nodeAddressOf('ws://localhost:7880')).toBe('127.0.0.1');
    await expect(nodeAddressOf('wss://nobody.invalid')).rejects.toThrow(
      'LIVEKIT_PUBLIC_URL: nobody.invalid cannot be resolved',
    );
  });

  test('keeps the secret off the command line', () => {
    const launch = mediaServerLaunch({ ...place, host: '127.0.0.1' });

    expect([launch.command, ...launch.args].join(' ')).not.toContain(keys.mediaServerSecret);
    expect(launch.env['LIVEKIT_CONFIG']).toContain(keys.mediaServerSecret);
  });
});
