/*
 * The generated parts of the clients. `npm run sdks` runs this file with --update, which writes
 * them; without it a stale file fails the test.
 */
import path from 'node:path';
import { format } from 'oxfmt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApi } from '../../src/clients/generator/document.ts';
import { operationsOf } from '../../src/clients/generator/operations.ts';
import { pythonFiles } from '../../src/clients/generator/python.ts';
import { typescriptFiles } from '../../src/clients/generator/typescript.ts';
import { buildApp, type BuiltApp } from '../support/api/build-app.ts';

const root = path.join(import.meta.dirname, '../..');

let service: BuiltApp;
let document: OpenApi;
beforeAll(async () => {
  service = await buildApp();
  document = (await service.app.server.inject({ url: '/openapi.json' })).json();
});
afterAll(() => service.close());

async function formatted(name: string, text: string): Promise<string> {
  const { code, errors } = await format(name, text, { singleQuote: true, printWidth: 100 });
  expect(errors).toEqual([]);
  return code;
}

describe('the generated part', () => {
  test('of the TypeScript client is up to date', async () => {
    const folder = path.join(root, 'src/clients/typescript/src/generated');

    for (const [name, text] of Object.entries(typescriptFiles(document))) {
      await expect(await formatted(name, text)).toMatchFileSnapshot(path.join(folder, name));
    }
  });

  test('of the Python client is up to date', async () => {
    const folder = path.join(root, 'src/clients/python/src/troupe_sdk/_generated');

    for (const [name, text] of Object.entries(pythonFiles(document))) {
      await expect(text).toMatchFileSnapshot(path.join(folder, name));
    }
  });

  test('gives every operation a name of its own', () => {
    const names = operationsOf(document).map(({ resource, name }) => `${resource}.${name}`);

    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
    expect(names).toEqual(expect.arrayContaining(['sessions.create', 'avatars.list']));
  });
});
