import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault, problem } from '../../errors.ts';
import { readForm } from '../plumbing/forms.ts';
import type { Call } from './vendor-adapter.ts';

/** Plugins send JSON, forms, forms with a picture, and empty bodies labelled as JSON or bytes. */
export function readVendorBodies(app: FastifyInstance, call: Call): void {
  const jsonField = call.does === 'open' ? call.jsonField : undefined;
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('ignore', 'ignore');

  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parseJson(request, body as string, done);
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const form = await readForm(body, request.headers['content-type']);
      if (jsonField === undefined) return form;
      const { [jsonField]: json, ...otherFields } = form;
      return { ...readJsonField(json, jsonField), ...otherFields };
    },
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    const detail = 'The content type of the body is not supported.';
    throw new Fault('unsupported_media_type', { detail });
  });
}

function readJsonField(text: unknown, name: string): object {
  try {
    const value: unknown = JSON.parse(String(text));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below.
  }
  throw problem('json_invalid', ['body', name], 'Input should be a JSON object', null);
}
