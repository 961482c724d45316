/*
 * Passes handshakes of vendors' websockets through the routes of the API, so that its keys, limits and
 * logs apply. The route takes the handshake back to complete it.
 */
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Upgrade, UpgradeRouter } from '#shared/upgrade-router.ts';

export class VendorUpgrades {
  readonly #paths: ReadonlySet<string>;
  readonly #open = new WeakMap<IncomingMessage, Upgrade>();

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
    return this.#open.has(raw);
  }

  /** The caller completes the handshake, and answers nothing. */
  take({ raw }: FastifyRequest, reply: FastifyReply): Upgrade {
    const upgrade = this.#open.get(raw);
    if (!upgrade) throw new Error('not a handshake');
    this.#open.delete(raw);
    reply.hijack();
    reply.raw.detachSocket(upgrade.stream as Socket);
    return upgrade;
  }

  #route(app: FastifyInstance, upgrade: Upgrade): void {
    const { request, stream } = upgrade;
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(stream as Socket);
    response.once('finish', () => stream.end());
    this.#open.set(request, upgrade);
    app.routing(request, response);
  }
}
