/*
 * Workers download pictures and bundles, and upload what they build from them. Not part of the
 * public API.
 */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { BLOBS_PATH, MAX_BLOB_BYTES } from '#protocol/worker/blob-path.ts';
import { Fault } from '../../errors.ts';
import { hashOf } from '../../records/blobs.ts';
import { FairTurns } from '../../work/fair-turns.ts';
import { readBytes } from '../bodies/parsers.ts';
import type { Services } from '../services.ts';

/** Shorter than a worker waits. */
const WAIT_MS = 20_000;
const BUSY = 'Other workers are reading pictures and bundles. Please try again shortly.';

type BlobRequest = { Params: { hash: string } };

export const blobRoutes =
  ({ records: { blobs }, workerTokens, limits, bodies, clock }: Services): FastifyPluginAsync =>
  async (app) => {
    app.addHook('onRequest', async (request: FastifyRequest) => {
      const grant = await workerTokens.check(request.headers.authorization);
      if (!grant) {
        limits.countStranger(request);
        throw new Fault('api_key_invalid', { detail: 'A worker token is required.' });
      }
      // Agent workers show no pictures.
      if (grant.kind === 'agent') throw new Fault('forbidden');
    });
    app.removeAllContentTypeParsers();
    readBytes(app, bodies);
    // A blob is decrypted as a whole: a fleet that starts at once would take gigabytes.
    const turns = new FairTurns(clock, { running: 1, waitMs: WAIT_MS, refusal: BUSY });

    app.get<BlobRequest>(
      `${BLOBS_PATH}/:hash`,
      { schema: { hide: true } },
      async (request, reply) => {
        const workers = '';
        const bytes = await turns.take(workers, () => blobs.read(request.params.hash));
        if (!bytes) throw new Fault('not_found');
        return reply.type('application/octet-stream').send(Buffer.from(bytes));
      },
    );

    app.put<BlobRequest>(
      `${BLOBS_PATH}/:hash`,
      { bodyLimit: MAX_BLOB_BYTES, schema: { hide: true } },
      async (request, reply) => {
        const bytes: unknown = request.body;
        if (!Buffer.isBuffer(bytes) || hashOf(bytes) !== request.params.hash) {
          const detail = 'The bytes do not match the hash in the path.';
          throw new Fault('invalid_parameter', { detail });
        }
        await blobs.put(bytes, clock.now());
        return reply.code(204).send();
      },
    );
  };
