import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { Ollama } from '../../../src/calls/models/ollama.ts';
import { requestOutgoing } from '../../../src/egress/outgoing-request.ts';
import { OllamaServer } from '../../support/dialogue/ollama-server.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

const TALKS = { capabilities: ['completion'] };
const inMemory = (size: number, expiresAt = '2026-01-01T12:05:00Z') => ({
  ...TALKS,
  loaded: { size, expiresAt },
});

let server: OllamaServer;
let clock: TestClock;
let ollama: Ollama;

beforeEach(async () => {
  server = await OllamaServer.open();
  clock = new TestClock();
  server.now = () => clock.now();
  ollama = ollamaWith();
});
afterEach(async () => {
  await ollama.close();
  await server.close();
  expect(clock.waiting).toBe(0);
});

function ollamaWith({
  wanted,
  address = server.address,
}: { wanted?: string; address?: string } = {}) {
  const log = createLog({ name: 'test', level: 'silent' });
  return new Ollama({ address, wanted, post: requestOutgoing(null), clock, log });
}

const chosen = async () => (await ollama.state())?.model?.name ?? null;

describe('the model of Ollama', () => {
  test('is the largest in memory', async () => {
    server.models = {
      'small:1b': inMemory(1_000),
      'large:70b': inMemory(9_000),
      'newest:latest': { ...TALKS, modifiedAt: '2026-01-01T00:00:00Z' },
    };

    expect(await chosen()).toBe('large:70b');
  });

  test('is the newest if none is in memory', async () => {
    server.models = {
      'old:latest': { ...TALKS, modifiedAt: '2025-01-01T00:00:00Z' },
      'new:latest': { ...TALKS, modifiedAt: '2025-12-01T00:00:00Z' },
    };

    expect(await ollama.state()).toEqual({
      model: { name: 'new', capabilities: ['completion'], loadedUntil: null },
      installed: ['old', 'new'],
    });
  });

  test.each(['wanted', 'wanted:latest'])('is the one that is set, as %s', async (wanted) => {
    server.models = { 'large:70b': inMemory(9_000), 'wanted:latest': TALKS };
    ollama = ollamaWith({ wanted });

    expect(await chosen()).toBe('wanted');
  });

  test('is another one if the one that is set is not installed', async () => {
    server.models = { 'large:70b': inMemory(9_000) };
    ollama = ollamaWith({ wanted: 'missing' });

    expect(await chosen()).toBe('large:70b');
  });

  test('is never one for embeddings', async () => {
    server.models = {
      'embedder:latest': { ...inMemory(9_000), capabilities: ['embedding'] },
    };

    expect(await ollama.state()).toEqual({ model: null, installed: [] });
    expect(await ollama.models()).toEqual({ llm: null, stt: null });
  });

  test('runs elsewhere only if it is set', async () => {
    server.models = { 'huge:cloud': { ...TALKS, remoteHost: 'https://models.example' } };
    expect(await chosen()).toBeNull();

    ollama = ollamaWith({ wanted: 'huge:cloud' });
    expect(await chosen()).toBe('huge:cloud');
  });

  test('answers calls by the compatible API', async () => {
    server.models = { 'plain:latest': TALKS };

    expect(await ollama.models()).toMatchObject({ llm: server.llm('plain'), stt: null });
  });

  test('does not think aloud, and hears and sees if it can', async () => {
    const capabilities = ['completion', 'thinking', 'audio', 'vision'];
    server.models = { 'any:8b': { capabilities } };
    const endpoint = { url: `${server.address}/v1`, key: null, model: 'any:8b' };

    expect(await ollama.models()).toEqual({
      llm: { ...endpoint, temperature: null, reasoningEffort: 'none', sees: true },
      stt: { ...endpoint, isFallback: true },
    });
  });
});

describe('Ollama', () => {
  test('is asked once for requests at the same time, and again when they are seconds apart', async () => {
    server.models = { 'plain:latest': TALKS };
    await Promise.all([ollama.state(), ollama.models(), ollama.state()]);
    expect(server.askedAt('/api/tags')).toHaveLength(1);

    clock.advance(4_999);
    await ollama.models();
    expect(server.askedAt('/api/tags')).toHaveLength(1);

    server.models = { 'other:latest': TALKS };
    clock.advance(1);
    expect(await chosen()).toBe('other');
    expect(server.askedAt('/api/show')).toEqual([
      { model: 'plain:latest' },
      { model: 'other:latest' },
    ]);

    clock.advance(5_000);
    await ollama.state();
    expect(server.askedAt('/api/show')).toHaveLength(2);
  });

  test('is asked once a minute while it is absent, and by each call some seconds apart', async () => {
    const { address } = server;
    await server.close();
    ollama = ollamaWith({ address });
    expect(await ollama.state()).toBeNull();
    const port = Number(new URL(address).port);
    server = await OllamaServer.open(port);
    server.models = { 'plain:latest': TALKS };

    clock.advance(30_000);
    expect(await ollama.state()).toBeNull();
    expect((await ollama.models()).llm).toMatchObject(server.llm('plain'));
  });

  test('that vanishes leaves no model', async () => {
    server.models = { 'plain:latest': TALKS };
    expect(await chosen()).toBe('plain');

    server.models = {};
    clock.advance(5_000);
    expect(await ollama.models()).toEqual({ llm: null, stt: null });
    expect(ollama.hadModel).toBe(false);
  });

  test('delays no request by more than a second', async () => {
    server.models = { 'plain:latest': TALKS };
    const held = Promise.withResolvers<void>();
    server.busy = held.promise;
    const state = ollama.state();
    await until(() => server.asked.length === 2);
    clock.advance(1_000);
    expect(await state).toBeNull();

    held.resolve();
    await until(async () => (await ollama.state()) !== null);
  });

  test('keeps its state while it is too busy to answer, and not for long', async () => {
    server.models = { 'plain:latest': TALKS };
    await ollama.state();
    server.busy = new Promise(() => {});

    clock.advance(5_000);
    const state = ollama.state();
    await until(() => server.asked.length === 5);
    clock.advance(1_000);
    expect((await state)?.model?.name).toBe('plain');

    clock.advance(4_000);
    await until(() => !ollama.hadModel);
  });

  test('that is another server is not used', async () => {
    server.isOllama = false;

    expect(await ollama.state()).toBeNull();
  });
});

const loads = () => server.askedAt('/api/generate');

describe('the memory of Ollama', () => {
  test('has the model when a call begins, and keeps it while calls go on', async () => {
    server.models = { 'plain:latest': TALKS };
    ollama.keepLoaded({ isNewCall: true });
    await until(() => loads().length === 1);
    expect(loads()[0]).toMatchObject({ model: 'plain', keep_alive: 600 });
    await until(async () => (await ollama.state())?.model?.loadedUntil !== null);

    // A question in between has set the time to Ollama's own.
    server.models['plain:latest'] = inMemory(1, new Date(clock.now() + 420_000).toISOString());
    clock.advance(239_999);
    ollama.keepLoaded({ isNewCall: false });
    clock.advance(1);
    ollama.keepLoaded({ isNewCall: false });
    await until(() => loads().length === 2);
  });

  test('is left alone if the model stays longer anyway', async () => {
    server.models = { 'plain:latest': inMemory(1, '2318-01-01T00:00:00Z') };
    ollama.keepLoaded({ isNewCall: true });
    await until(() => server.askedAt('/api/show').length === 1);
    await ollama.close();

    expect(loads()).toEqual([]);
  });

  test('gets one request at a time, which the end of the service ends', async () => {
    server.models = { 'plain:latest': TALKS };
    server.coldStart = new Promise(() => {});
    ollama.keepLoaded({ isNewCall: true });
    await until(() => loads().length === 1);
    ollama.keepLoaded({ isNewCall: true });
    await ollama.state();
    await ollama.close();

    expect(loads()).toHaveLength(1);
  });
});
