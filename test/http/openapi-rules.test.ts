import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../support/api/build-app.ts';
import {
  operationsOf,
  Rules,
  type ApiDocument,
  type Operation,
  type Schema,
} from './fuzz/document.ts';

/** Tags of the interface. */
const GROUPS = [
  'Avatars',
  'Agents',
  'Agent Conversations',
  'Agent Integration',
  'Agent Knowledge Files',
  'Agents External APIs',
  'Authentication',
  'Speech-to-Video Sessions',
];

let service: BuiltApp;
let document: ApiDocument;
let operations: Operation[];
beforeAll(async () => {
  service = await buildApp({
    slots: 0,
    env: { TROUPE_ADMIN_PASSWORD: 'a password of whoever runs it' },
  });
  document = (await service.app.server.inject({ url: '/openapi.json' })).json();
  operations = operationsOf(document);
});
afterAll(() => service.close());

/** Lists all violations, so that one run shows them all. */
function expectOfAll<Thing>(items: Thing[], wrong: (item: Thing) => string | false): void {
  expect(items.length).toBeGreaterThan(0);
  expect(items.map(wrong).filter(Boolean)).toEqual([]);
}

const without = (object: object, allowed: string[]): string[] =>
  Object.keys(object).filter((key) => !allowed.includes(key));

describe('the structure of OpenAPI 3.1', () => {
  test('contains only OpenAPI fields', () => {
    const knownKeys = {
      document:
        'openapi info jsonSchemaDialect servers paths webhooks components security tags externalDocs',
      info: 'title summary description termsOfService contact license version',
      operation:
        'tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers',
      parameter:
        'name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content',
      body: 'description content required',
      response: 'description headers content links',
      media: 'schema example examples encoding',
    };
    const check = (where: string, object: object, kind: keyof typeof knownKeys) =>
      without(object, knownKeys[kind].split(' ')).map((key) => `${where}: ${key}`);

    const unknown = operations.flatMap(({ method: _method, path: _path, name, ...operation }) => [
      ...check(name, operation, 'operation'),
      ...(operation.parameters ?? []).flatMap((each) => check(name, each, 'parameter')),
      ...(operation.requestBody ? check(name, operation.requestBody, 'body') : []),
      ...Object.values(operation.requestBody?.content ?? {}).flatMap((each) =>
        check(name, each, 'media'),
      ),
      ...Object.values(operation.responses).flatMap(({ content, ...response }) => [
        ...check(name, response, 'response'),
        ...Object.values(content ?? {}).flatMap((each) => check(name, each, 'media')),
      ]),
    ]);

    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(check('document', document, 'document')).toEqual([]);
    expect(check('info', document.info, 'info')).toEqual([]);
    expect(unknown).toEqual([]);
  });

  test('describes each path parameter once as required, has no duplicate path, and requires few query parameters', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
    expectOfAll(operations, ({ name, path, parameters = [] }) => {
      const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part);
      const described = parameters.filter((each) => each.in === 'path' && each.required);
      const isSame = JSON.stringify(described.map((each) => each.name)) === JSON.stringify(parts);
      return !isSame && name;
    });
    expectOfAll(operations, ({ name, parameters = [] }) => {
      const keys = parameters.map((each) => `${each.in} ${each.name}`);
      return new Set(keys).size !== keys.length && name;
    });
    const required = operations.flatMap(({ name, parameters = [] }) =>
      parameters
        .filter((each) => each.required && each.in !== 'path')
        .map((each) => `${name} ${each.name}`),
    );
    expect(required).toEqual([
      'PUT /v1/knowledge-files/{id}/upload chunk_number',
      'DELETE /v1/chat/{id}/line ticket',
    ]);
  });

  test('has no dangling reference and only valid 2020-12 schemas', () => {
    const ajv = new Ajv2020();
    const rules = new Rules(document);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)];

    expectOfAll(references, ([, $ref = '']) => !rules.resolve({ $ref }) && $ref);
    expectOfAll(schemasOf(document), ({ at, schema }) => !ajv.validateSchema(schema) && at);
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });

  test('uses every named schema', () => {
    const text = JSON.stringify(document);
    const names = Object.keys(document.components.schemas);

    expectOfAll(names, (name) => !text.includes(`"#/components/schemas/${name}"`) && name);
  });
});

describe('every operation', () => {
  test('has described tags, including all tags of the interface', () => {
    const described = document.tags.map(({ name }) => name);

    expect(new Set(described).size).toBe(described.length);
    expect(described).toEqual(expect.arrayContaining(GROUPS));
    expectOfAll(document.tags, ({ name, description }) => !description && name);
    expectOfAll(operations, ({ name, tags = [] }) => tags.length !== 1 && name);
    expectOfAll(operations, ({ name, tags = [] }) => {
      return !tags.every((tag) => described.includes(tag)) && name;
    });
    expectOfAll(described, (tag) => {
      return !operations.some(({ tags = [] }) => tags.includes(tag)) && `${tag} is empty`;
    });
  });

  test('has a summary and a unique operation id', () => {
    const ids = operations.map(({ operationId }) => operationId);

    expectOfAll(operations, ({ name, summary }) => !summary && name);
    expectOfAll(operations, ({ name, operationId = '' }) => {
      const isName = /^[a-z][A-Za-z0-9]+$/.test(operationId);
      return !(isName && ids.indexOf(operationId) === ids.lastIndexOf(operationId)) && name;
    });
  });

  test('declares its authentication, or that it is public', () => {
    const schemes = Object.keys(document.components.securitySchemes);

    expectOfAll(operations, ({ name, security = document.security ?? [] }) => {
      const isKnown = security.every((each) =>
        Object.keys(each).every((scheme) => schemes.includes(scheme)),
      );
      return !isKnown && name;
    });
    expectOfAll(operations, ({ name, responses }) => !('401' in responses) && name);
    expect(operations.filter(isForAnybody).map(({ name }) => name)).toEqual([
      'GET /v1/chat/{id}',
      'POST /v1/chat/{id}/calls',
      'DELETE /v1/chat/{id}/line',
    ]);
  });

  test('has at least one success, and describes each answer', () => {
    expectOfAll(operations, ({ name, responses }) => {
      const successes = Object.keys(responses).filter((status) => /^2\d\d$/.test(status));
      return successes.length === 0 && name;
    });
    expectOfAll(answersOf(operations), ({ at, description }) => {
      return (!description || description === 'Default Response') && at;
    });
    expectOfAll(answersOf(operations), ({ at, status, content }) => {
      return (status === '204') === (content !== undefined) && at;
    });
  });

  test('describes every error that its parts can cause', () => {
    expectOfAll(operations, ({ name, path, parameters = [], requestBody, responses }) => {
      const hasInput = parameters.some((each) => each.in !== 'path');
      const expected = [
        ...(path.includes('{') ? [400, 404] : []),
        ...(requestBody ? [400, 413, 415, 422] : []),
        ...(hasInput ? [422] : []),
        429,
        500,
        503,
      ];
      const missing = expected.filter((status) => !(status in responses));
      return missing.length > 0 && `${name} ${missing.join()}`;
    });
  });

  test('uses the shared error schemas', () => {
    expectOfAll(
      answersOf(operations).filter(({ status }) => Number(status) >= 400),
      ({ at, status, content }) => {
        const shared = status === '422' ? 'ValidationError' : 'Error';
        const schema = { $ref: `#/components/schemas/${shared}` };
        return JSON.stringify(content) !== JSON.stringify({ 'application/json': { schema } }) && at;
      },
    );
  });
});

/** Requests without credentials are possible. */
const isForAnybody = ({ security }: Operation): boolean =>
  security?.some((schemes) => Object.keys(schemes).length === 0) ?? false;

const answersOf = (operations: Operation[]) =>
  operations.flatMap(({ name, responses }) =>
    Object.entries(responses).map(([status, answer]) => ({
      at: `${name} ${status}`,
      status,
      ...answer,
    })),
  );

/** Every schema: named ones, and those of parameters, bodies and answers. */
function schemasOf(document: ApiDocument): { at: string; schema: Schema }[] {
  const named = Object.entries(document.components.schemas);
  const schemas = named.map(([at, schema]) => ({ at, schema }));
  const webhooks = operationsOf({ ...document, paths: document.webhooks ?? {} });
  const operations = [...operationsOf(document), ...webhooks];
  for (const { name, parameters = [], requestBody, responses } of operations) {
    for (const each of parameters)
      schemas.push({ at: `${name} ${each.name}`, schema: each.schema });
    const contents = [requestBody, ...Object.values(responses)].map((each) => each?.content ?? {});
    for (const { schema } of contents.flatMap((content) => Object.values(content))) {
      schemas.push({ at: name, schema: schema ?? {} });
    }
  }
  return schemas;
}
