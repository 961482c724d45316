import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TextsRefused, type EmbeddingEndpoint } from '../../../src/knowledge/embedder.ts';
import { vectorsIn } from '../../../src/knowledge/embeddings-answer.ts';
import { createOutgoing } from '#shared/network/address-policy.ts';
import { requestOutgoing } from '../../../src/egress/outgoing-request.ts';
import { embedderOf, type EmbedderParts } from '../../../src/calls/models/embeddings.ts';
import { anAgent } from '../../support/api/agent.ts';
import { ModelServer } from '../../support/agents/model-server.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

let model: ModelServer;
const clock = new TestClock();
beforeEach(async () => {
  model = await ModelServer.open();
});
afterEach(async () => {
  await model.close();
  expect(clock.waiting, 'timers left').toBe(0);
});

const STOP = new AbortController().signal;
const anywhere = requestOutgoing(null);
const partsWith = (parts: Partial<EmbedderParts> = {}): EmbedderParts => ({
  externalApis: {
    credentials: async (_, id) =>
      id === 'api-1'
        ? { type: 'openai_compatible_embeddings', url: `${model.url}/`, apiKey: 'sk-own' }
        : null,
  },
  service: { embeddings: null },
  post: { own: anywhere, service: anywhere },
  clock,
  ...parts,
});
const agentAt = (apiId: string, name = 'small') =>
  anAgent({
    accountId: 'account-1',
    createdAt: 0,
    embeddings: { type: 'openai_compatible', apiId, model: name },
  });
const ownEmbedder = async (): Promise<EmbeddingEndpoint> =>
  (await embedderOf(partsWith())(agentAt('api-1')))!;
const embed = async (texts: string[]) =>
  vectorsIn(await (await ownEmbedder()).request(texts, 500, STOP), texts.length);

const answers = (body: unknown, status = 200) => {
  model.answer = (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const rows = (...vectors: unknown[]) => ({
  data: vectors.map((embedding, index) => ({ index, embedding })),
});

describe('embeddings', () => {
  test('come from the owner’s address with its key, as unit vectors', async () => {
    answers(rows([3, 4], [0, -2]));

    const vectors = await embed(['one', 'two']);

    expect(vectors).toEqual([Float32Array.from([0.6, 0.8]), Float32Array.from([0, -1])]);
    const [request] = model.requests;
    expect(request).toMatchObject({ path: '/v1/embeddings', authorization: 'Bearer sk-own' });
    expect(JSON.parse(request!.body.toString())).toEqual({ model: 'small', input: ['one', 'two'] });
  });

  test('are in the order of the texts, whatever that of the answer', async () => {
    answers({
      data: [
        { index: 1, embedding: [0, 1] },
        { index: 0, embedding: [1, 0] },
      ],
    });

    expect((await embed(['one', 'two'])).map(([x]) => x)).toEqual([1, 0]);
  });

  test('without an index are in the order of the answer', async () => {
    answers({ data: [{ embedding: [1, 0] }, { embedding: [0, 1] }] });

    expect((await embed(['one', 'two'])).map(([x]) => x)).toEqual([1, 0]);
  });

  test.each([
    ['too few', rows([1, 0])],
    ['too many', rows([1, 0], [0, 1], [1, 1])],
    ['none at all', { data: 'none' }],
    ['nothing', null],
    ['of two lengths', rows([1, 0], [1, 0, 0])],
    ['without numbers', rows([1, 0], [])],
    ['of words', rows([1, 0], ['1', '0'])],
    ['not a number', rows([1, 0], [null, 1])],
    ['too large to be one', rows([1, 0], [1e300, 1])],
    ['of no direction', rows([1, 0], [0, 0])],
    [
      'of one twice',
      {
        data: [
          { index: 1, embedding: [1] },
          { index: 1, embedding: [1] },
        ],
      },
    ],
    [
      'of another',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 7, embedding: [1] },
        ],
      },
    ],
    ['in no list', { data: [null, { embedding: { 0: 1, length: 1 } }] }],
    [
      'without end',
      rows(
        [1, 0],
        Array.from({ length: 4_097 }, () => 1),
      ),
    ],
  ])('are rejected if invalid: %s', async (_, body) => {
    answers(body);

    await expect(embed(['one', 'two'])).rejects.toThrow(/^the (answer|server) /);
  });

  test('are rejected if they are not JSON', async () => {
    model.answer = (response) => response.writeHead(200).end('<html>');

    await expect(embed(['one'])).rejects.toThrow('JSON');
  });

  test.each([401, 404, 429, 503, 302])('fail with %i', async (status) => {
    answers({}, status);

    await expect(embed(['one'])).rejects.toThrow(`the server answered ${status}`);
  });

  test.each([400, 413, 422, 500])('report refused texts: %i', async (status) => {
    answers({}, status);

    await expect(embed(['one'])).rejects.toBeInstanceOf(TextsRefused);
  });

  test('time out, and are aborted when the service stops', async () => {
    model.answer = () => {};
    const stop = new AbortController();
    const late = (await ownEmbedder()).request(['one'], 500, STOP);
    const stopped = (await ownEmbedder()).request(['one'], 500, stop.signal);
    const outcomes = Promise.allSettled([late, stopped]);
    await until(() => model.requests.length === 2);

    stop.abort(new Error('stops'));
    clock.advance(500);

    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('are not requested from an address that may no longer be called', async () => {
    const checked = requestOutgoing(createOutgoing(''));
    const parts = partsWith({ post: { own: checked, service: anywhere } });
    const embedder = await embedderOf(parts)(agentAt('api-1'));

    await expect(embedder!.request(['one'], 500, STOP)).rejects.toThrow('private or reserved');
    expect(model.requests).toEqual([]);
  });
});

const usual = () => ({ embeddings: { url: model.url, key: null, model: 'usual' } });

describe('an embedder', () => {
  test('is the agent’s own, else the service’s, else null', async () => {
    const plain = anAgent({ accountId: 'account-1', createdAt: 0 });
    answers(rows([1]));

    expect(await embedderOf(partsWith())(plain)).toBeNull();
    const service = await embedderOf(partsWith({ service: usual() }))(plain);
    expect(service?.externalApiId).toBeNull();
    await service?.request(['one'], 500, STOP);
    expect(model.requests.at(-1)?.authorization).toBeUndefined();
    expect((await ownEmbedder()).externalApiId).toBe('api-1');
    // The owner named another API, so the service's model is not used.
    const missingEmbedder = await embedderOf(partsWith({ service: usual() }))(agentAt('api-2'));
    expect(missingEmbedder).toBeNull();
  });

  test('has its own space for each model and address', async () => {
    const spaceOf = async (name: string) =>
      (await embedderOf(partsWith())(agentAt('api-1', name)))?.space;
    const elsewhere = partsWith({
      service: { embeddings: { url: 'http://b', key: null, model: 'small' } },
    });
    const otherEmbedder = await embedderOf(elsewhere)(
      anAgent({ accountId: 'account-1', createdAt: 0 }),
    );

    const spaces = [await spaceOf('small'), await spaceOf('large'), otherEmbedder?.space];

    expect(new Set(spaces).size).toBe(3);
    expect(await spaceOf('small')).toBe(spaces[0]);
  });
});
