/* Floor of the API: a bare fastify server with the same schemas and constant responses. */
import { fastify } from 'fastify';
import {
  SessionBody,
  SessionPage,
  SessionRequest,
  sessionSchemas,
} from '../../../src/http/sessions/session-schemas.ts';
import { named } from '../../../src/http/resource/schema-parts.ts';
import { validatorFactory } from '../../../src/http/plumbing/validation/validators.ts';
import { answer } from '../rpc.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const session = {
  id: '00000000-0000-4000-8000-000000000000',
  transport: 'mediaserver',
  avatar_id: FIRST_AVATAR.id,
  status: { type: 'to_start' },
  url: 'wss://media.their.example',
  created_at: '2026-01-01T12:00:00.000000+00:00',
  video: { width: 512, height: 512, fps: 25 },
  metadata: {},
};
const page = { data: Array.from({ length: 10 }, () => session), has_more: false };

async function listen(): Promise<string> {
  const app = fastify({
    schemaController: { compilersFactory: { buildValidator: validatorFactory() } },
  });
  for (const schema of sessionSchemas) app.addSchema(schema);
  app.post(
    '/v1/sessions',
    { schema: { body: named(SessionRequest), response: { 201: named(SessionBody) } } },
    async (_request, reply) => reply.code(201).send(session),
  );
  app.get('/v1/sessions', { schema: { response: { 200: named(SessionPage) } } }, async () => page);
  app.get(
    '/v1/sessions/:id',
    { schema: { response: { 200: named(SessionBody) } } },
    async () => session,
  );
  return app.listen({ host: '127.0.0.1', port: 0 });
}

answer({ listen });
