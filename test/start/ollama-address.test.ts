import { expect, test } from 'vitest';
import { ollamaAddress } from '../../src/start/ollama-address.ts';

test.each([
  [undefined, 'http://127.0.0.1:11434'],
  ['', 'http://127.0.0.1:11434'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:1234', 'http://127.0.0.1:1234'],
  [':1234', 'http://127.0.0.1:1234'],
  ['[::]:1234', 'http://[::1]:1234'],
  ['models.lan', 'http://models.lan:11434'],
  ['models.lan:80', 'http://models.lan:80'],
  ['http://models.lan', 'http://models.lan:80'],
  ['https://models.lan/', 'https://models.lan:443'],
  ['http://10.0.0.5:11434', 'http://10.0.0.5:11434'],
  ['not an address', null],
])('Ollama that listens at %j is reached at %j', (ollamaHost, address) => {
  expect(ollamaAddress(ollamaHost)).toBe(address);
});
