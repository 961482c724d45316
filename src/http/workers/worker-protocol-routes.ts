import type { FastifyPluginAsync } from 'fastify';
import type { TSchema } from 'typebox';
import { CLOSE } from '#protocol/worker/close-codes.ts';
import { GatewayMessage } from '#protocol/worker/gateway-messages.ts';
import { GATEWAY_PATH } from '#protocol/worker/gateway-path.ts';
import {
  MAX_MESSAGE_BYTES,
  PROTOCOL_VERSION,
  WorkerMessage,
} from '#protocol/worker/worker-messages.ts';

/** Names one message of a union, as its `type` does. */
type MessageSchema = TSchema & { properties: { type: { const: string } }; description?: string };

/** The protocol between workers and the gateway, for authors of workers. Needs no key. */
export const workerProtocolRoutes: FastifyPluginAsync = async (app) => {
  const document = workerProtocol();
  app.get('/worker-protocol.json', { schema: { hide: true } }, async () => document);
};

/** AsyncAPI 3.0, from the worker's side: it sends worker messages and receives gateway messages. */
export function workerProtocol() {
  const [fromWorker, fromGateway] = [schemasOf(WorkerMessage), schemasOf(GatewayMessage)];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Troupe worker protocol',
      version: `${PROTOCOL_VERSION}.0.0`,
      description: `Messages between a worker and the control plane, one JSON object in each websocket text message of at most ${MAX_MESSAGE_BYTES} bytes. Ignore unknown fields and unknown messages: newer versions send more. The first part of the version is the \`protocol\` of \`register\`. The page /docs/worker-protocol explains what a worker must do.`,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      controlPlane: {
        host: '127.0.0.1:8080',
        protocol: 'ws',
        description: 'CONTROL_URL. With https, `wss`.',
        security: [{ $ref: '#/components/securitySchemes/workerToken' }],
      },
    },
    channels: {
      gateway: {
        address: GATEWAY_PATH,
        servers: [{ $ref: '#/servers/controlPlane' }],
        messages: Object.fromEntries(
          [...fromWorker, ...fromGateway].map((schema) => [
            nameOf(schema),
            { $ref: `#/components/messages/${nameOf(schema)}` },
          ]),
        ),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
        // Whether a worker connects again after it.
        'x-close-codes': CLOSE,
      },
    },
    operations: {
      send: operation('send', 'The worker sends', fromWorker),
      receive: operation('receive', 'The worker receives', fromGateway),
    },
    components: {
      messages: Object.fromEntries(
        [...fromWorker, ...fromGateway].map((schema) => [nameOf(schema), messageOf(schema)]),
      ),
      securitySchemes: {
        workerToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'WORKER_TOKEN, or a worker token of /v1/fleet/worker-tokens.',
        },
      },
    },
  };
}

const operation = (action: 'send' | 'receive', title: string, schemas: MessageSchema[]) => ({
  action,
  title,
  channel: { $ref: '#/channels/gateway' },
  messages: schemas.map((schema) => ({ $ref: `#/channels/gateway/messages/${nameOf(schema)}` })),
});

const messageOf = (schema: MessageSchema) => ({
  name: nameOf(schema),
  summary: schema.description,
  payload: schema,
});

const schemasOf = (union: { anyOf: TSchema[] }): MessageSchema[] => union.anyOf as MessageSchema[];

const nameOf = ({ properties }: MessageSchema): string => properties.type.const;
