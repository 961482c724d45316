import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { SharedDocument } from './answers/shared-document.ts';
import { pageHeaders } from './pages/page-headers.ts';
import { withErrorAnswers } from './errors/refusals.ts';
import { documentedWebhooks } from './webhooks/event-schemas.ts';

/** Version of the public API, not of the software. */
const INTERFACE_VERSION = '0.3.0';

const tags = [
  { name: 'Avatars', description: 'Built-in avatars, and your own avatars built from photos.' },
  { name: 'Agents', description: 'Agents that the service runs: an avatar, a prompt and a voice.' },
  {
    name: 'Agent Knowledge Files',
    description: 'Documents that agents draw on during a conversation.',
  },
  {
    name: 'Agents External APIs',
    description: 'Addresses and credentials of external services that agents use.',
  },
  {
    name: 'Speech-to-Video Sessions',
    description:
      'One avatar in one room, for one speech source. Meant to be used through a plugin.',
  },
  {
    name: 'Agent Conversations',
    description: 'Start calls with agents; read their status and messages.',
  },
  {
    name: 'Agent Integration',
    description: 'Join a room with an agent from a media server SDK.',
  },
  {
    name: 'Chat Room',
    description: 'Used by the page at `{CHAT_URL}/{agent id}`. Needs the agent id, not an API key.',
  },
  {
    name: 'Webhooks',
    description: 'Signed events, delivered in order and at least once.',
  },
  { name: 'Authentication', description: 'Check an API key.' },
  { name: 'Account', description: "The account's audit log and export." },
  {
    name: 'Fleet',
    description: 'Workers and their slots, for operators. Needs a key with the scope `operator`.',
  },
];

const adminTag = {
  name: 'Admin',
  description: 'Accounts and their keys, for the administrator. Needs the admin password.',
};

const CONSOLE = '/docs/api/console';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Generates the document from the routes' schemas. Register before any route. */
export async function serveDocument(
  app: FastifyInstance,
  { publicUrl, hasAdmin }: { publicUrl: string | undefined; hasAdmin: boolean },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Troupe',
        version: INTERFACE_VERSION,
        description:
          'Voice agents speak, Troupe gives them a face. Text is Unicode: a lone surrogate in a body gets a 422.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl ?? '/' }],
      tags: hasAdmin ? [...tags, adminTag] : tags,
      webhooks: documentedWebhooks,
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
          bearerKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, instead of the header `x-api-key`.',
          },
          operatorKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-api-key',
            description: 'An API key with the scope `operator`.',
          },
          operatorBearerKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key with the scope `operator`, instead of the header `x-api-key`.',
          },
          roomToken: {
            type: 'http',
            scheme: 'bearer',
            description: "The call's room token, known only to its user.",
          },
          linkToken: {
            type: 'http',
            scheme: 'bearer',
            description:
              "For a private agent: a JWT (HS256) that its owner's backend signs with the agent's link secret. `sub` is the agent's id; `exp` is required.",
          },
          ...(hasAdmin && { adminPassword: { type: 'http', scheme: 'bearer' } }),
        },
      },
      security: [{ apiKey: [] }, { bearerKey: [] }],
    },
    transform: ({ schema, url, route }) => ({
      url,
      schema: schema && {
        ...withOperationId(withErrorAnswers(schema, route.config)),
        // Without a password, only operators at the console use them.
        ...(!hasAdmin && url.startsWith('/admin') && { hide: true }),
      },
    }),
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) =>
        typeof schema.$id === 'string' ? schema.$id : `schema-${index}`,
    },
  });
  const json = new SharedDocument(JSON_TYPE, () => JSON.stringify(app.swagger()));
  const yaml = new SharedDocument('application/x-yaml', () => app.swagger({ yaml: true }));
  app.get('/openapi.json', { schema: { hide: true } }, (request, reply) =>
    json.send(request, reply),
  );
  // The page sends its trial requests to the first server of the document.
  const headers = pageHeaders(publicUrl ? [new URL(publicUrl).origin] : []);
  await app.register(async (page) => {
    page.addHook('onRequest', async (request, reply) => {
      reply.headers(headers);
      // Instead of making the document for each request.
      if (request.routeOptions.url === `${CONSOLE}/json`) return json.send(request, reply);
      if (request.routeOptions.url === `${CONSOLE}/yaml`) return yaml.send(request, reply);
    });
    await page.register(swaggerUi, {
      routePrefix: CONSOLE,
      // Without the banner, whose logo needs an inline style.
      uiConfig: { deepLinking: true, layout: 'BaseLayout' },
      theme: { title: 'Troupe API' },
    });
  });
}

/** Adds the operation id that generated clients use as a method name. */
function withOperationId(schema: FastifySchema): FastifySchema {
  if (schema.hide) return schema;
  return { ...schema, operationId: schema.operationId ?? toName(schema.summary ?? '') };
}

/** `List speech-to-video sessions` -> `listSpeechToVideoSessions` */
const toName = (summary: string): string =>
  summary.toLowerCase().replace(/[^a-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
