import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpointVoice } from '../../../../workers/agent/voices/endpoint.ts';
import type { Sound, Voice } from '../../../../workers/agent/voices/voice.ts';
import { pcm } from '../../../support/sound/pcm.ts';
import { wavFile } from '../../../support/sound/wav-file.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { until } from '../../../support/until.ts';

const { signal } = new AbortController();

let clock: TestClock;
let server: Server;
let voice: Voice;
let requests: { headers: IncomingMessage['headers']; body: unknown }[];
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  clock = new TestClock();
  requests = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => (body += text));
    request.on('end', () => {
      requests.push({ headers: request.headers, body: JSON.parse(body) });
      answer(response);
    });
  }).listen(0);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  voice = endpointVoice({ url, key: 'key', model: 'tts-1', voice: 'alloy' }, clock);
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  expect(clock.waiting).toBe(0);
});

const formatOf = ({ body }: { body: unknown }): unknown =>
  (body as { response_format: string }).response_format;

async function samplesOf(sentence: string): Promise<number[]> {
  const samples: number[] = [];
  for await (const sound of voice.speak(sentence, signal))
    for (const sample of sound.samples) samples.push(sample);
  return samples;
}

describe('a voice at an endpoint', () => {
  test('streams sound, even when a sample is split across chunks', async () => {
    answer = (response) => {
      response.write(Buffer.from([1, 0, 2]));
      setImmediate(() => response.end(Buffer.from([0, 3, 0])));
    };

    expect(await samplesOf('Hello.')).toEqual([1, 2, 3]);
    expect(requests[0]).toMatchObject({
      headers: { authorization: 'Bearer key' },
      body: { input: 'Hello.', model: 'tts-1', voice: 'alloy', response_format: 'pcm' },
    });
  });

  test('retries a failed request once', async () => {
    answer = (response) =>
      response.writeHead(requests.length === 1 ? 500 : 200).end(Buffer.alloc(2));
    expect(await samplesOf('Hello.')).toEqual([0]);

    answer = (response) => response.writeHead(401).end();
    await expect(samplesOf('Hello.')).rejects.toThrow('answered 401');
    expect(requests).toHaveLength(4);
  });

  test('keeps no connection of a failed request', async () => {
    answer = (response) => response.writeHead(500).end('Out of order.');

    await expect(samplesOf('Hello.')).rejects.toThrow('answered 500');

    const connections = promisify(server.getConnections.bind(server));
    await until(async () => (await connections()) === 0);
  });

  test('reads WAV of any rate instead of raw samples', async () => {
    const sounds: Sound[] = [];
    answer = (response) =>
      response
        .writeHead(200, { 'content-type': 'audio/wav' })
        .end(wavFile(pcm([5, 6, 7]), { rate: 22_050 }));

    for await (const sound of voice.speak('Hello.', signal)) sounds.push(sound);

    expect(sounds).toEqual([{ samples: Int16Array.of(5, 6, 7), sampleRate: 22_050 }]);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['refuses pcm', (response: ServerResponse) => response.writeHead(400).end('only wav')],
    ['sends MP3', (response: ServerResponse) => response.end(Buffer.from('ID3 and so on, sound'))],
    ['sends Ogg', (response: ServerResponse) => response.end(Buffer.from('OggS and so on, sound'))],
  ])('asks for wav from then on if the server %s', async (_, refuse) => {
    answer = (response) =>
      formatOf(requests.at(-1)!) === 'wav' ? response.end(wavFile(pcm([5]))) : refuse(response);

    expect(await samplesOf('Hello.')).toEqual([5]);
    expect(await samplesOf('You.')).toEqual([5]);

    expect(requests.map(formatOf)).toEqual(['pcm', 'wav', 'wav']);
  });

  test('is asked no more when it sends nothing that can be played', async () => {
    answer = (response) => response.end(Buffer.from('OggS and so on, sound'));

    await expect(samplesOf('Hello.')).rejects.toThrow('it is Ogg, not PCM or WAV');
    await expect(samplesOf('You.')).rejects.toThrow('it is Ogg, not PCM or WAV');

    expect(requests).toHaveLength(2);
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['half a sample', Buffer.alloc(1)],
    ['an empty WAV file', wavFile(new Uint8Array(), { hasLength: false })],
  ])('fails when the server sends %s', async (_, body) => {
    answer = (response) => response.end(body);

    await expect(samplesOf('Hello.')).rejects.toThrow('the answer has no sound');
    expect(requests).toHaveLength(2);
  });

  test('fails when the sound stops coming', async () => {
    answer = (response) => response.write(Buffer.alloc(4_000, 1));
    const lengths: number[] = [];
    const listening = (async () => {
      for await (const { samples } of voice.speak('Hello.', signal)) lengths.push(samples.length);
    })();
    listening.catch(() => {});
    await until(() => lengths.length === 1);
    await until(() => clock.waiting === 1);

    clock.advance(6_000);

    await expect(listening).rejects.toThrow('did not answer in time');
    expect(requests).toHaveLength(1);
  });

  test('stops reading a sentence that never ends', async () => {
    const second = Buffer.alloc(48_000, 1);
    answer = (response) => {
      const sendMore = () => {
        while (!response.destroyed && response.write(second));
      };
      response.on('drain', sendMore);
      sendMore();
    };

    const { length } = await samplesOf('Hello.');

    expect(length / 24_000).toBeGreaterThan(119);
    expect(length / 24_000).toBeLessThan(130);
  });

  test('fails when there is no answer in time', async () => {
    answer = () => {};
    const sound = samplesOf('Hello.');
    sound.catch(() => {});
    await until(() => requests.length === 1);

    clock.advance(6_000);

    await expect(sound).rejects.toThrow('did not answer in time');
  });
});
