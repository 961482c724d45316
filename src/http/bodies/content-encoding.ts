import { finished, type Readable } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { Fault } from '../../errors.ts';

/** Not brotli, whose decoder may take 16 MiB for each body. */
const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate };

type Encoding = keyof typeof decoders;

export const isEncoded = (request: FastifyRequest): boolean => encodingOf(request) !== null;

/** The pieces of the body, decoded. Breaking off leaves the connection open for the answer. */
export async function* decodedPieces(
  request: FastifyRequest,
  payload: Readable,
): AsyncGenerator<Buffer> {
  const encoding = encodingOf(request);
  const decoder = encoding && decoders[encoding]();
  if (decoder) {
    payload.pipe(decoder);
    finished(payload, (error) => error && decoder.destroy(error));
  }
  try {
    yield* (decoder ?? payload).iterator({ destroyOnReturn: false });
  } catch (error) {
    // The client has gone.
    if (payload.errored || request.raw.destroyed) throw new Fault('unreadable_request');
    if (!decoder) throw error;
    const detail = `The body is not valid ${encoding}, as its content-encoding says.`;
    throw new Fault('invalid_parameter', { detail });
  } finally {
    if (decoder) payload.unpipe(decoder);
    decoder?.destroy();
  }
}

function encodingOf({ headers }: FastifyRequest): Encoding | null {
  const name = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return null;
  if (Object.hasOwn(decoders, name)) return name as Encoding;
  throw new Fault('unsupported_media_type', {
    detail: 'The content-encoding of the body is not supported.',
    advice: 'Send the body as it is, or with `content-encoding: gzip` or `deflate`.',
  });
}
