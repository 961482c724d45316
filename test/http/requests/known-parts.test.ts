import Type from 'typebox';
import { expect, test } from 'vitest';
import { knownParts } from '../../../src/http/requests/known-parts.ts';

const Model = Type.Object({ model: Type.String() }, { $id: 'Model' });
const Body = Type.Object({
  name: Type.String(),
  api_key: Type.String(),
  url: Type.String(),
  llm: Type.Union([Type.Ref('Model'), Type.Null()]),
  words: Type.Array(Type.Object({ word: Type.String() })),
  metadata: Type.Record(Type.String(), Type.String()),
});

const shownPartsOf = (body: unknown) =>
  knownParts(body, [Body], (id) => (id === 'Model' ? Model : undefined));

test.each<[string, object, object]>([
  ['a known field', { name: 'Ada' }, { name: 'Ada' }],
  ['a secret', { api_key: 'x' }, { api_key: '[hidden]' }],
  ['a misspelt secret', { apikee: 'x' }, { apikee: '[hidden]' }],
  ['a secret in another field', { name: 'sk-proj-abc' }, { name: '[hidden]' }],
  ['a token in another field', { name: 'A1b2C3d4E5f6G7h8I9j0K1l2' }, { name: '[hidden]' }],
  ['a map', { metadata: { a: 'b' } }, { metadata: { a: '[hidden]' } }],
  ['an address', { url: 'https://me:pw@a.example/t/secret?k=1' }, { url: 'https://a.example/…' }],
  ['a reference', { llm: { model: 'm', other: 1 } }, { llm: { model: 'm', other: '[hidden]' } }],
  ['a list', { words: [{ word: 'a', b: 1 }] }, { words: [{ word: 'a', b: '[hidden]' }] }],
  ['another type', { name: { key: 'x', a: 'y' } }, { name: { key: '[hidden]', a: '[hidden]' } }],
  ['a list instead of a text', { name: ['x'] }, { name: '[hidden]' }],
  ['a long text', { name: 'a b'.repeat(100) }, { name: '[300 characters]' }],
])('of %s', (_, body, expected) => {
  expect(shownPartsOf(body)).toEqual(expected);
});

test('of bytes nothing, without looking at each', () => {
  const bytes = new Proxy(Buffer.alloc(8), {
    ownKeys: () => expect.unreachable('the bytes are listed'),
  });

  expect(shownPartsOf(bytes)).toBe('[hidden]');
});
