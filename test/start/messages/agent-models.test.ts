import { describe, expect, test } from 'vitest';
import type { DefaultModels } from '#shared/process/default-models.ts';
import { agentModels } from '../../../src/start/messages/agent-models.ts';

const NOTHING: DefaultModels = { thinks: null, hears: null, speaks: null, installed: null };
const withOllama = (installed: string[]): DefaultModels => ({
  ...NOTHING,
  thinks: { model: 'llama3.2', by: 'ollama' },
  installed,
});

describe('the words for the models of agents', () => {
  test('name those of the service', () => {
    const models = {
      ...NOTHING,
      thinks: { model: 'gpt', by: 'service' },
      hears: 'listener',
      speaks: 'speaker',
    } as const;

    expect(agentModels(models, {})).toEqual([
      'think with gpt, hear with listener, speak with speaker',
      'another model: set OPENAI_MODEL',
    ]);
  });

  test('name that of Ollama, and the others to choose from', () => {
    const [what, change] = agentModels(withOllama(['llama3.2', 'a', 'b', 'c', 'd', 'e', 'f']), {});

    expect(what).toBe('think with llama3.2 (Ollama), speak with the built-in voice');
    expect(change).toBe('another model: set OLLAMA_MODEL; installed: a, b, c, d, e and 1 more');
  });

  test.each([
    [{}, 'another model: ollama pull NAME, and set OLLAMA_MODEL=NAME'],
    [{ OLLAMA_MODEL: 'llama3.2:latest' }, 'another model: ollama pull NAME'],
    [{ OLLAMA_MODEL: 'missing' }, 'OLLAMA_MODEL is not usable there: ollama pull missing'],
  ])('say with %j how to get another one', (config, words) => {
    expect(agentModels(withOllama(['llama3.2']), config)[1]).toContain(words);
  });

  test.each([
    [null, {}, 'install Ollama'],
    [[], {}, 'for a conversation: ollama pull llama3.2'],
    [null, { OLLAMA: 'off' }, 'OPENAI_API_KEY'],
  ])('say how to get the first one: Ollama has %j, settings %j', (installed, config, words) => {
    const [what, change] = agentModels({ ...NOTHING, installed }, config);

    expect(what).toBe('answer in the words of their files, speak with the built-in voice');
    expect(change).toContain(words);
  });
});
