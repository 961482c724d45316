import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { withErrorAnswers } from './refusals.ts';
import { documentedWebhooks } from './schemas/events.ts';

/** The version of the public interface, not of this software. */
const INTERFACE_VERSION = '0.3.0';

/** The plug-in's own banner says nothing about this service. */
const HIDE_BANNER = '.swagger-ui .topbar { display: none }';

const tags = [
  { name: 'Avatars', description: 'The faces that there are, and your own, made of photos.' },
  { name: 'Agents', description: 'Agents that the service runs: a face, a prompt, and a voice.' },
  {
    name: 'Agent Knowledge Files',
    description: 'Documents that agents draw on during a conversation.',
  },
  {
    name: 'Agents External APIs',
    description: 'Addresses and credentials of services that agents use.',
  },
  {
    name: 'Speech-to-Video Sessions',
    description:
      'One avatar in one room, for one speech source. Meant to be used through a plugin.',
  },
  {
    name: 'Agent Conversations',
    description: 'Calls with agents: start one, and read what became of it and what was said.',
  },
  {
    name: 'Agent Integration',
    description: 'Put an agent before a user from an SDK of the media server.',
  },
  {
    name: 'Chat Room',
    description:
      'What the page at `{CHAT_URL}/{agent id}` calls: for anybody who knows the id, without a key.',
  },
  {
    name: 'Webhooks',
    description: 'Be told of what happens, signed, in order, and at least once.',
  },
  { name: 'Authentication', description: 'Check an API key.' },
  {
    name: 'Fleet',
    description: 'Workers and their slots, for operators: wants a key of the scope `operator`.',
  },
];

const adminTag = {
  name: 'Admin',
  description: 'Accounts and their keys, behind the admin password: only for whoever runs Troupe.',
};

/** The document is made from the routes' own schemas. Register it before them. */
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
        description: 'Voice agents speak, Troupe gives them a face.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl ?? '/' }],
      tags: hasAdmin ? [...tags, adminTag] : tags,
      webhooks: documentedWebhooks,
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
          operatorKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-api-key',
            description: 'Of the scope `operator`.',
          },
          roomToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'The room token of the call: only its user has it.',
          },
          ...(hasAdmin && { adminPassword: { type: 'http', scheme: 'bearer' } }),
        },
      },
      security: [{ apiKey: [] }],
    },
    transform: ({ schema, url, route }) => ({
      url,
      schema: schema && complete(withErrorAnswers(schema, route.config)),
    }),
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) =>
        typeof schema.$id === 'string' ? schema.$id : `schema-${index}`,
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  await app.register(swaggerUi, {
    routePrefix: '/docs/api',
    uiConfig: { deepLinking: true },
    theme: { title: 'Troupe API', css: [{ filename: 'troupe.css', content: HIDE_BANNER }] },
  });
}

/** With a name for generated clients. */
function complete(schema: FastifySchema): FastifySchema {
  if (schema.hide) return schema;
  return { ...schema, operationId: schema.operationId ?? toName(schema.summary ?? '') };
}

/** `List speech-to-video sessions` -> `listSpeechToVideoSessions` */
const toName = (summary: string): string =>
  summary.toLowerCase().replace(/[^a-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
