import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { initializeLogger, type voice } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';
import { expect, test } from 'vitest';
import { AvatarSession } from '../../../src/clients/livekit-node/src/avatar.ts';

const MEDIA_SERVER = {
  livekitUrl: 'ws://media.example',
  livekitApiKey: 'a-key',
  livekitApiSecret: 'a secret that nobody else has to know',
};

initializeLogger({ pretty: false, level: 'silent' });

test('a redirect is followed by no request, and the error names the address to set', async () => {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url!);
    response.writeHead(308, { location: '/elsewhere' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const avatar = new AvatarSession({ apiUrl: `http://127.0.0.1:${port}`, apiKey: 'a-key' });
  const agent = Object.assign(new EventEmitter(), { output: { audio: null } });
  const room = Object.assign(new EventEmitter(), {
    name: 'a-room',
    localParticipant: { identity: 'agent' },
  });

  const starting = avatar.start(
    agent as unknown as voice.AgentSession,
    room as unknown as Room,
    MEDIA_SERVER,
  );

  await expect(starting).rejects.toThrow(
    'redirects to /elsewhere. Set apiUrl to its final address',
  );
  expect(paths).toEqual(['/v1/sessions']);
  server.close();
});
