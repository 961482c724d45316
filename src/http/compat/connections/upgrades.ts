/*
 * Passes handshakes of vendors' websockets through the routes of the API, so that its keys, limits,
 * metrics and logs apply. The route takes the handshake back to complete it.
 */
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Upgrade, UpgradeRouter } from '#shared/network/upgrade-router.ts';

type Waiting = {
  upgrade: Upgrade;
  response: ServerResponse;
  /** Ends the watch for the client's departure. */
  release: () => void;
};

export class VendorUpgrades {
  readonly #paths: ReadonlySet<string>;
  readonly #waiting = new WeakMap<IncomingMessage, Waiting>();

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
  }

  serve(app: FastifyInstance, router: UpgradeRouter): void {
    const stop = router.add({
      matches: (path) => this.#paths.has(path.replace(/\/$/, '')),
      admit: async (upgrade) => this.#route(app, upgrade),
    });
    app.addHook('onClose', async () => stop());
  }

  has({ raw }: FastifyRequest): boolean {
    return this.#waiting.has(raw);
  }

  /** Another control plane has let the client in, and counted the request. */
  isForwarded({ raw }: FastifyRequest): boolean {
    return this.#waiting.get(raw)?.upgrade.isForwarded ?? false;
  }

  /** The client did not wait for the answer. */
  isGone({ raw }: FastifyRequest): boolean {
    return this.#waiting.get(raw)?.upgrade.stream.destroyed ?? true;
  }

  /**
   * The caller completes the handshake, and answers nothing. Metrics and logs show `status`: the
   * socket opens first even if the client is refused.
   */
  take({ raw }: FastifyRequest, reply: FastifyReply, status: number): Upgrade {
    const waiting = this.#waiting.get(raw);
    if (!waiting) throw new Error('not a handshake');
    const { upgrade, response, release } = waiting;
    this.#waiting.delete(raw);
    release();
    reply.hijack();
    response.detachSocket(upgrade.stream as Socket);
    response.statusCode = status;
    // As far as the API is concerned; it counts and logs the request now.
    response.emit('finish');
    return upgrade;
  }

  #route(app: FastifyInstance, upgrade: Upgrade): void {
    const { request, stream } = upgrade;
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(stream as Socket);
    const end = () => stream.end();
    response.once('finish', end);
    const stopWatching = watchDeparture(stream as Socket);
    const release = () => {
      response.off('finish', end);
      stopWatching();
    };
    this.#waiting.set(request, { upgrade, response, release });
    app.routing(request, response);
  }
}

/**
 * Destroys the stream when the client closes it. An upgraded stream is not read, so it would not
 * notice. Returns a function that leaves it as it was.
 */
function watchDeparture(stream: Socket): () => void {
  // A client sends nothing before the answer; what comes nevertheless stays in the stream.
  const read = () => void (stream.readableLength === 0 && stream.read());
  const leave = () => stream.destroy();
  stream.on('readable', read);
  stream.once('end', leave);
  return () => {
    stream.off('readable', read);
    stream.off('end', leave);
  };
}
