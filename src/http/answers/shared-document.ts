import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { once } from '#shared/once.ts';

const compress = promisify(gzip);

/** Size of a write: whole documents for many readers would keep the event loop busy. */
const PIECE_BYTES = 64 * 1024;

/**
 * A large text that does not change while the service runs. It is made on the first request, and
 * all answers share its bytes.
 */
export class SharedDocument {
  readonly #type: string;
  readonly #parts: () => Promise<{ plain: Buffer; compressed: Buffer; etag: string }>;

  constructor(type: string, make: () => string) {
    this.#type = type;
    this.#parts = once(async () => {
      const plain = Buffer.from(make());
      const compressed = await compress(plain);
      const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`;
      return { plain, compressed, etag };
    });
  }

  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { plain, compressed, etag } = await this.#parts();
    reply.headers({ etag, vary: 'accept-encoding' });
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
    if (isNamed(headers['if-none-match'], etag)) return reply.code(304).send();
    reply.type(this.#type);
    const isCompressed = takesGzip(headers['accept-encoding']);
    if (isCompressed) reply.header('content-encoding', 'gzip');
    const bytes = isCompressed ? compressed : plain;
    return reply.header('content-length', bytes.length).send(Readable.from(piecesOf(bytes)));
  }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await nextPiece();
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

let lastPiece: Promise<void> = Promise.resolve();

/** One piece of all answers for each turn of the event loop, however many readers there are. */
function nextPiece(): Promise<void> {
  lastPiece = lastPiece.then(() => setImmediate());
  return lastPiece;
}

/** Proxies that compress mark an etag as weak. */
const isNamed = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((name) => name.trim().replace(/^W\//, '') === etag) ?? false;

const takesGzip = (header = ''): boolean =>
  /(^|,)\s*gzip\s*(;\s*q=(1|0\.0*[1-9])\d*\s*)?(,|$)/i.test(header);
