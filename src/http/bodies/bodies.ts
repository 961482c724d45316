/*
 * Reads request bodies within budgets: bytes in memory and in files, by account and in all. What a
 * body takes is given back when its answer is ready, or at once when it is refused or broken off.
 */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault, problem } from '../../errors.ts';
import { addressOf } from '../limits/rate-limit.ts';
import { ArrivingBody, tooManyBodies } from './arriving-body.ts';
import { ByteBudget } from './byte-budget.ts';
import { decodedPieces, isEncoded } from './content-encoding.ts';

export type BodySettings = {
  /** Where longer bodies lie while they arrive. */
  folder: string;
  memoryBytes: number;
  diskBytes: number;
};

/** Shorter than most clients wait for an answer. */
const MEMORY_WITHIN_MS = 5_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives back what the body takes. */
    releaseBody: () => void;
    /** A handler uses the body, even when the client has gone. */
    isHandled: boolean;
  }
}

export class Bodies {
  readonly memory: ByteBudget;
  readonly disk: ByteBudget;
  readonly #folder: string;

  constructor({ folder, memoryBytes, diskBytes }: BodySettings, clock: Pick<Clock, 'after'>) {
    this.memory = new ByteBudget(memoryBytes, clock);
    this.disk = new ByteBudget(diskBytes, clock);
    this.#folder = folder;
  }

  /** Call before any route is registered. */
  serve(app: FastifyInstance): void {
    app.decorateRequest('releaseBody', () => {});
    app.decorateRequest('isHandled', false);
    app.addHook('preHandler', async (request) => void (request.isHandled = true));
    app.addHook('onSend', async (request) => request.releaseBody());
  }

  /** Throws `too_large`, `at_capacity`, or a fault that says what cannot be read. */
  async read(request: FastifyRequest, payload: Readable): Promise<ArrivingBody> {
    const holder = holderOf(request);
    const [memory, disk] = [this.memory.open(holder), this.disk.open(holder)];
    const limit = request.routeOptions.bodyLimit ?? 0;
    if (Number(request.headers['content-length'] ?? 0) > limit) throw new Fault('too_large');
    const body = new ArrivingBody({ folder: this.#folder, memory, disk, limit });
    releaseWhenOver(request, () => {
      memory.release();
      void body.discard();
    });
    try {
      for await (const piece of decodedPieces(request, payload)) await body.add(piece);
      await body.end();
      checkLength(request, body.size);
      // Until here a long body is in a file: slow senders hold none of this.
      const isGranted = !body.isInFile || (await memory.grow(body.size, MEMORY_WITHIN_MS));
      if (!isGranted) throw tooManyBodies();
      return body;
    } catch (error) {
      request.releaseBody();
      if (error instanceof Fault && error.fault === 'at_capacity')
        await skipRest(payload, limit).catch(() => {});
      throw error;
    }
  }
}

/** Many clients read no answer before they have sent their body. */
async function skipRest(payload: Readable, limit: number): Promise<void> {
  let skipped = 0;
  for await (const piece of payload.iterator({ destroyOnReturn: false })) {
    skipped += (piece as Buffer).length;
    if (skipped > limit) return;
  }
}

/** Bodies of callers whose account is not known yet count by address. */
function holderOf(request: FastifyRequest): string {
  const { account, vendorCaller }: Partial<FastifyRequest> = request;
  return account?.id ?? vendorCaller?.account.id ?? addressOf(request);
}

function releaseWhenOver(request: FastifyRequest, release: () => void): void {
  const { socket } = request.raw;
  const onClose = () => {
    if (!request.isHandled) request.releaseBody();
  };
  socket.once('close', onClose);
  request.releaseBody = () => {
    socket.off('close', onClose);
    release();
  };
}

function checkLength(request: FastifyRequest, size: number): void {
  const length = request.headers['content-length'];
  if (length === undefined || isEncoded(request) || Number(length) === size) return;
  const text = 'The body is not as long as its content-length says';
  throw problem('content_length', ['body'], text, null);
}
