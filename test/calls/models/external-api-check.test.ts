import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pcm } from '../../support/sound/pcm.ts';
import { wavFile } from '../../support/sound/wav-file.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { ModelServer } from '../../support/agents/model-server.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
let model: ModelServer;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());
beforeEach(async () => {
  model = await ModelServer.open();
});
afterEach(() => model.close());

const KEY = 'sk-nobody-reads-this';

async function check(
  kind: 'llm' | 'stt' | 'tts' | 'embeddings',
  payload: object = {},
  url = model.url,
) {
  const api = { type: `openai_compatible_${kind}`, name: 'Model', url, api_key: KEY };
  const { id } = (await service.call('POST', '/v1/external-apis', { payload: api })).json();
  const path = `/v1/external-apis/${id}/check`;
  return (await service.call('POST', path, { payload })).json();
}
const answers = (status: number, body: string, type = 'application/json') => {
  model.answer = (response) => response.writeHead(status, { 'content-type': type }).end(body);
};

describe('checking an external API', () => {
  test('asks a language model one question, with the key', async () => {
    const checkResult = await check('llm', { model: 'small' });

    expect(checkResult).toEqual({ ok: true, status: 200, detail: 'It works.', took_ms: 0 });
    const [request] = model.requests;
    expect(request).toMatchObject({
      path: '/v1/chat/completions',
      authorization: `Bearer ${KEY}`,
    });
    expect(JSON.parse(request!.body.toString())).toMatchObject({ model: 'small' });
  });

  test('sends half a second of silence to speech to text', async () => {
    answers(200, '{"text":""}');

    expect(await check('stt')).toMatchObject({ ok: true });
    const [request] = model.requests;
    expect(request).toMatchObject({ path: '/v1/audio/transcriptions' });
    expect(request!.type).toMatch(/^multipart\/form-data; boundary=/);
    const wav = request!.body.indexOf('RIFF');
    expect(request!.body.readUInt32LE(wav + 4)).toBe(16_036);
    expect(request!.body.readUInt32LE(wav + 24)).toBe(16_000);
    expect(request!.body.toString('latin1')).toContain('gpt-4o-mini-transcribe');
  });

  test('requests one word from text to speech', async () => {
    answers(200, 'sound', 'audio/pcm');

    expect(await check('tts', { voice: 'nova' })).toMatchObject({ ok: true });
    expect(JSON.parse(model.requests[0]!.body.toString())).toMatchObject({
      model: 'gpt-4o-mini-tts',
      voice: 'nova',
      input: 'Hello',
    });
  });

  test('says how the sound of a voice is read, and asks for wav if pcm is refused', async () => {
    const formats: string[] = [];
    model.answer = (response) => {
      const { response_format } = JSON.parse(model.requests.at(-1)!.body.toString());
      formats.push(response_format);
      if (response_format === 'pcm') return void response.writeHead(422).end('only wav');
      response.end(wavFile(pcm([5, 6, 7]), { rate: 22_050 }));
    };

    expect(await check('tts')).toMatchObject({
      ok: true,
      detail: 'It works. Its sound is read as WAV at 22050 Hz.',
    });
    expect(formats).toEqual(['pcm', 'wav']);
  });

  test.each([
    { body: 'ID3 and so on, sound', type: 'audio/mpeg', says: 'it is MP3, not PCM or WAV' },
    { body: 'OggS and so on, sound', type: 'audio/pcm', says: 'it is Ogg, not PCM or WAV' },
    { body: '{"error":"none"}', type: 'application/json', says: 'it is text, not PCM or WAV' },
    { body: '', type: 'audio/pcm', says: 'The answer has no sound.' },
    { body: '\0'.repeat(400), type: 'audio/pcm', says: 'The sound is silent.' },
  ])('names the sound of a voice that cannot be played: $says', async ({ body, type, says }) => {
    answers(200, body, type);

    const checkResult = await check('tts');

    expect(checkResult).toMatchObject({ ok: false, status: 200 });
    expect(checkResult.detail).toContain(says);
  });

  test('requests the embedding of one word', async () => {
    answers(200, '{"data":[{"index":0,"embedding":[0.5,-0.25]}]}');

    expect(await check('embeddings', { model: 'bge-m3' })).toMatchObject({ ok: true });
    const [request] = model.requests;
    expect(request).toMatchObject({ path: '/v1/embeddings', authorization: `Bearer ${KEY}` });
    expect(JSON.parse(request!.body.toString())).toEqual({ model: 'bge-m3', input: ['Hello'] });
  });

  test.each(['{"data":[]}', '{"data":[{"embedding":["a"]}]}', '[]', '<html>'])(
    'detects invalid embeddings: %s',
    async (body) => {
      answers(200, body);

      const checkResult = await check('embeddings');

      expect(checkResult).toMatchObject({ ok: false, status: 200 });
      expect(checkResult.detail).toContain('The answer has no embedding');
    },
  );

  test.each([
    {
      status: 401,
      body: `{"error":{"message":"Wrong key: ${KEY}."}}`,
      says: 'It refuses the key (401). It says: Wrong key: ***.',
    },
    { status: 404, body: 'nothing', says: 'The URL must end before /chat/completions' },
    { status: 404, body: '{"detail":"no model x"}', says: 'no model x' },
    {
      status: 400,
      body: '{"message":"bad"}',
      says: 'It may not know the model or the voice. It says: bad',
    },
    { status: 429, body: '', says: 'too many requests, or no credit left' },
    { status: 302, body: '', says: 'It redirects (302)' },
    { status: 503, body: '', says: 'It failed (503).' },
    { status: 200, body: '<html>', says: 'not a chat completion' },
    { status: 200, body: 'null', says: 'not a chat completion' },
    { status: 200, body: '{"choices":[]}', says: 'not a chat completion' },
    { status: 200, body: '{"choices":[{"message":{"content":""}}]}', says: 'has no text' },
    {
      status: 200,
      body: '{"choices":[{"message":{"content":"<thinking>Yes or no?"}}]}',
      says: 'has no text',
    },
  ])('says what is wrong: $status $body', async ({ status, body, says }) => {
    answers(status, body);

    const checkResult = await check('llm');

    expect(checkResult).toMatchObject({ ok: false, status });
    expect(checkResult.detail).toContain(says);
    expect(checkResult.detail).not.toContain(KEY);
  });

  test.each(['stt', 'tts'] as const)('accepts the answer of %s', async (kind) => {
    answers(200, '{"choices":[]}');

    expect(await check(kind)).toMatchObject({ ok: false, status: 200 });
  });

  test('reports a missing answer and a refused address', async () => {
    const closed = await ModelServer.open();
    const { url } = closed;
    await closed.close();
    expect(await check('llm', {}, url)).toMatchObject({
      ok: false,
      status: null,
      detail: 'The connection was refused.',
    });

    model.answer = (response) => response.destroy();
    expect((await check('llm')).detail).toContain('closed without an answer');
  });

  test('does not call an address that is no longer allowed', async () => {
    const records = service.place.open();
    const api = { type: 'openai_compatible_llm', name: 'M', url: model.url, api_key: KEY };
    const { id } = (await service.call('POST', '/v1/external-apis', { payload: api })).json();
    const url = 'http://10.0.0.1/v1';
    await records.updateTable('external_apis').set({ url }).where('id', '=', id).execute();
    await records.destroy();

    const checkResult = (
      await service.call('POST', `/v1/external-apis/${id}/check`, { payload: {} })
    ).json();

    expect(checkResult).toMatchObject({ ok: false, status: null });
    expect(checkResult.detail).toContain('private or reserved');
  });

  test('waits eight seconds', async () => {
    model.answer = () => {};
    const checking = check('llm');
    await until(() => model.requests.length === 1 && service.clock.dueIn(8_000) > 0);
    await service.clock.pass(8_000);

    expect(await checking).toEqual({
      ok: false,
      status: null,
      detail: 'It did not answer within 8 s.',
      took_ms: 8_000,
    });
  });

  test('is for its own account and requires text', async () => {
    const api = { type: 'openai_compatible_llm', name: 'M', url: model.url, api_key: KEY };
    const { id } = (await service.call('POST', '/v1/external-apis', { payload: api })).json();
    const path = `/v1/external-apis/${id}/check`;
    const headers = { 'x-api-key': await service.strangerKey() };

    expect((await service.call('POST', path, { payload: {}, headers })).statusCode).toBe(404);
    expect((await service.call('POST', path, { payload: { model: 7 } })).statusCode).toBe(422);
    expect(model.requests).toEqual([]);
  });
});
