import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../support/api/build-app.ts';
import { FIRST_AVATAR } from '../support/cast.ts';

type Operation = {
  responses: Record<string, { description: string; content?: Json }>;
};
type Variants = {
  discriminator: { propertyName: string; mapping: Record<string, string> };
  anyOf: { $ref: string }[];
};
type Parameters = { parameters: { name: string; required: boolean; schema: object }[] };
type Json = { 'application/json': { schema: object } };
type Document = {
  openapi: string;
  info: { version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: object };
  security: object[];
};

let service: BuiltApp;
let document: Document;
beforeAll(async () => {
  service = await buildApp();
  document = (await service.app.server.inject({ url: '/openapi.json' })).json();
});
afterAll(() => service.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

describe('OpenAPI document', () => {
  test('has the interface version and requires the key', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('0.3.0');
    expect(document.security).toEqual([{ apiKey: [] }, { bearerKey: [] }]);
    expect(document.components.securitySchemes).toEqual({
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      bearerKey: { type: 'http', scheme: 'bearer', description: expect.any(String) },
      operatorKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key',
        description: 'An API key with the scope `operator`.',
      },
      operatorBearerKey: { type: 'http', scheme: 'bearer', description: expect.any(String) },
      roomToken: {
        type: 'http',
        scheme: 'bearer',
        description: "The call's room token, known only to its user.",
      },
      linkToken: {
        type: 'http',
        scheme: 'bearer',
        description: expect.stringContaining('For a private agent'),
      },
    });
  });

  test('lists all public paths and no deprecated ones', () => {
    expect(
      operations()
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual([
      'delete /v1/agents/{id}',
      'delete /v1/agents/{id}/link-secret',
      'delete /v1/api-keys/{id}',
      'delete /v1/avatars/{id}',
      'delete /v1/calls/{id}',
      'delete /v1/chat/{id}/calls/{call_id}',
      'delete /v1/chat/{id}/line',
      'delete /v1/external-apis/{id}',
      'delete /v1/fleet/canary',
      'delete /v1/fleet/overflow',
      'delete /v1/fleet/worker-tokens/{id}',
      'delete /v1/invitations/{id}',
      'delete /v1/knowledge-files/{id}',
      'delete /v1/people/{id}',
      'delete /v1/sessions/{id}',
      'delete /v1/webhooks/{id}',
      'get /v1/abilities',
      'get /v1/account',
      'get /v1/agents',
      'get /v1/agents/{id}',
      'get /v1/agents/{id}/abilities',
      'get /v1/api-keys',
      'get /v1/audit-log',
      'get /v1/audit-log/export',
      'get /v1/auth/verify',
      'get /v1/avatars',
      'get /v1/avatars/{id}',
      'get /v1/avatars/{id}/sheet',
      'get /v1/calls',
      'get /v1/calls/{id}',
      'get /v1/calls/{id}/messages',
      'get /v1/chat/{id}',
      'get /v1/chat/{id}/calls/{call_id}',
      'get /v1/conversations',
      'get /v1/conversations/{id}',
      'get /v1/conversations/{id}/messages',
      'get /v1/events',
      'get /v1/external-apis',
      'get /v1/external-apis/{id}',
      'get /v1/fleet/alerts',
      'get /v1/fleet/audit',
      'get /v1/fleet/canary',
      'get /v1/fleet/events',
      'get /v1/fleet/health',
      'get /v1/fleet/history',
      'get /v1/fleet/overflow',
      'get /v1/fleet/overflow/sessions',
      'get /v1/fleet/pressure',
      'get /v1/fleet/worker-tokens',
      'get /v1/fleet/workers',
      'get /v1/history',
      'get /v1/invitations',
      'get /v1/knowledge-files',
      'get /v1/knowledge-files/{id}',
      'get /v1/people',
      'get /v1/request-log',
      'get /v1/sessions',
      'get /v1/sessions/{id}',
      'get /v1/sessions/{id}/events',
      'get /v1/sessions/{id}/still',
      'get /v1/sessions/{id}/timeline',
      'get /v1/usage',
      'get /v1/voices',
      'get /v1/webhooks',
      'get /v1/webhooks/{id}',
      'get /v1/webhooks/{id}/deliveries',
      'get /v1/webhooks/{id}/deliveries/{delivery_id}',
      'patch /v1/account',
      'patch /v1/agents/{id}',
      'patch /v1/api-keys/{id}',
      'patch /v1/external-apis/{id}',
      'patch /v1/people/{id}',
      'patch /v1/sessions/{id}',
      'patch /v1/webhooks/{id}',
      'post /v1/agents',
      'post /v1/agents/{id}/link-secret',
      'post /v1/api-keys',
      'post /v1/avatars',
      'post /v1/calls',
      'post /v1/calls/{id}/end',
      'post /v1/calls/{id}/token',
      'post /v1/chat/{id}/calls',
      'post /v1/export',
      'post /v1/external-apis',
      'post /v1/external-apis/{id}/check',
      'post /v1/fleet/audit/repair',
      'post /v1/fleet/rebalance',
      'post /v1/fleet/worker-tokens',
      'post /v1/fleet/workers/{id}/cordon',
      'post /v1/fleet/workers/{id}/drain',
      'post /v1/fleet/workers/{id}/log-level',
      'post /v1/fleet/workers/{id}/resume',
      'post /v1/invitations',
      'post /v1/knowledge-files',
      'post /v1/knowledge-files/{id}/submit',
      'post /v1/livekit-rooms',
      'post /v1/mediaserver-rooms',
      'post /v1/people/{id}/sign-in-links',
      'post /v1/sessions',
      'post /v1/sessions/{id}/end',
      'post /v1/sessions/{id}/token',
      'post /v1/webhooks',
      'post /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
      'post /v1/webhooks/{id}/rotate-secret',
      'post /v1/webhooks/{id}/test',
      'put /v1/chat/{id}/calls/{call_id}/rating',
      'put /v1/fleet/canary',
      'put /v1/fleet/overflow',
      'put /v1/knowledge-files/{id}/upload',
    ]);
  });

  test('has no dangling reference and only valid schemas', () => {
    const ajv = new Ajv2020();

    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(ajv.validateSchema(schema), name).toBe(true);
    }
    for (const reference of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      expect(follow(document, reference[1] ?? '')).toBeTypeOf('object');
    }
  });

  test('matches real answers', async () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    const opened = await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    const { id } = opened.json();

    const answers = {
      OpenedSession: opened,
      SessionPage: await service.call('GET', '/v1/sessions'),
      Session: await service.call('POST', `/v1/sessions/${id}/end`),
      AvatarPage: await service.call('GET', '/v1/avatars?limit=1'),
      Avatar: await service.call('GET', `/v1/avatars/${FIRST_AVATAR.alias}`),
      Error: await service.call('GET', '/v1/avatars/nobody'),
      ValidationError: await service.call('GET', '/v1/avatars?limit=0'),
    };

    for (const [name, reply] of Object.entries(answers)) {
      const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` });
      expect(validate(reply.json()), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  test.each(['Session', 'OpenedSession'])(
    'tells the two variants of %s apart by their transport',
    (name) => {
      const { schemas } = document.components;
      const { discriminator, anyOf } = schemas[name] as Variants;

      const variants = Object.entries(discriminator.mapping);
      expect(discriminator.propertyName).toBe('transport');
      expect(variants.map(([transport]) => transport)).toEqual(['mediaserver', 'botroom']);
      expect(anyOf.map(({ $ref }) => $ref)).toEqual(variants.map(([, $ref]) => $ref));
      for (const [transport, $ref] of variants) {
        expect(schemas[$ref.replace(/.*\//, '')]).toMatchObject({
          required: expect.arrayContaining(['transport', 'url']),
          properties: { transport: { enum: [transport], default: transport } },
        });
      }
    },
  );

  test('takes null as a cursor', () => {
    const { parameters } = document.paths['/v1/sessions']!['get'] as unknown as Parameters;

    expect(parameters.find(({ name }) => name === 'cursor')).toMatchObject({
      required: false,
      schema: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    });
  });

  test('is rendered as a page', async () => {
    const page = await service.app.server.inject({ url: '/docs/api/console' });

    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
  });
});

const follow = (from: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .reduce((place, part) => (place as Record<string, unknown> | undefined)?.[part], from);
