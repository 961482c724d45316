/*
 * Parsers for the bodies that an app's routes read. Each starts with
 * `app.removeAllContentTypeParsers()`.
 */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault, problem } from '../../errors.ts';
import type { Bodies } from './bodies.ts';
import { parseJson, textOf, tooManyValues } from './body-text.ts';
import { readForm, type Form } from './form.ts';

/** Also as programs label it: `application/vnd.api+json`, `text/json`. */
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json(?:;|$)/i;
const MAX_PAIRS = 1_000;

export function readJson(app: FastifyInstance, bodies: Bodies, { mayBeEmpty = false } = {}): void {
  app.addContentTypeParser(JSON_TYPE, async (request: FastifyRequest, payload: Readable) => {
    const text = await readText(bodies, request, payload);
    if (text !== '') return parseJson(text);
    if (mayBeEmpty) return undefined;
    throw problem('missing', ['body'], 'Field required', null);
  });
}

export function readUrlEncoded(app: FastifyInstance, bodies: Bodies): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: Readable) => {
      const text = await readText(bodies, request, payload);
      if (text.split('&', MAX_PAIRS + 1).length > MAX_PAIRS)
        throw tooManyValues('fields', MAX_PAIRS);
      return Object.fromEntries(new URLSearchParams(text));
    },
  );
}

export function readForms(
  app: FastifyInstance,
  bodies: Bodies,
  read: (form: Form) => object = (form) => form,
): void {
  app.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: Readable) => {
      const body = await bodies.read(request, payload);
      return read(await readForm(body.pieces(), request.headers['content-type'] ?? ''));
    },
  );
}

/** Whatever the content type says. */
export function readBytes(app: FastifyInstance, bodies: Bodies): void {
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) =>
    (await bodies.read(request, payload)).bytes(),
  );
}

/** Clients label empty bodies as anything. */
export function refuseOthers(app: FastifyInstance, detail?: string): void {
  app.addContentTypeParser('*', async (_request: FastifyRequest, payload: Readable) => {
    // The rest is not read.
    for await (const piece of payload.iterator({ destroyOnReturn: false })) {
      if (piece.length > 0) throw new Fault('unsupported_media_type', detail ? { detail } : {});
    }
    return undefined;
  });
}

async function readText(
  bodies: Bodies,
  request: FastifyRequest,
  payload: Readable,
): Promise<string> {
  const body = await bodies.read(request, payload);
  return textOf(await body.bytes(), request.headers['content-type']);
}
