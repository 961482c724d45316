/* Admits workers: checks tokens, upgrades connections, closes them when their token is revoked. */
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { countRefused, type RefusedHandshakes } from '#shared/network/refused-handshakes.ts';
import { refuseUpgrade, type Upgrade, type UpgradeRouter } from '#shared/network/upgrade-router.ts';
import { GATEWAY_PATH } from '#protocol/worker/gateway-path.ts';
import { MAX_MESSAGE_BYTES } from '#protocol/worker/worker-messages.ts';
import type { WorkerGrant, WorkerTokens } from '../accounts/worker-tokens.ts';
import { closeSocket } from './worker-link.ts';

/** A connection whose token is valid. */
export type Admitted = {
  socket: WebSocket;
  /** The socket's TCP stream. */
  stream: Duplex;
  grant: WorkerGrant;
};

export type Handshakes = {
  upgrades: UpgradeRouter;
  tokens: Pick<WorkerTokens, 'check' | 'onRevoked' | 'revokedAmong'>;
  refused: RefusedHandshakes;
};

type AdmissionParts = Handshakes & {
  clock: Clock;
  log: Log;
  onAdmitted: (admitted: Admitted) => void;
};

/** A revocation at another control plane may go unannounced, so the records are looked at. */
const LOOK_EVERY_MS = 1_000;

export class Admission {
  readonly #parts: AdmissionParts;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  /** Connections with a revocable token. */
  readonly #revocable = new Map<WebSocket, { tokenId: string; onRevoked: () => void }>();
  readonly #stopListening: () => void;
  readonly #removeRoute: () => void;
  /** Null: no look is due. */
  #cancelLook: (() => void) | null = null;
  #isClosed = false;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#stopListening = parts.tokens.onRevoked((tokenId) => this.#revoke(tokenId));
    this.#removeRoute = parts.upgrades.add({
      matches: (path) => path === GATEWAY_PATH,
      admit: (upgrade) => this.#admit(upgrade),
    });
  }

  /** Replaces what happens to the connection when its token is revoked. */
  onRevoked(socket: WebSocket, run: () => void): void {
    const revocable = this.#revocable.get(socket);
    if (revocable) revocable.onRevoked = run;
  }

  /** Resolves when every socket is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook?.();
    this.#stopListening();
    const { clock } = this.#parts;
    this.#removeRoute();
    const closings = [...this.#sockets.clients].map(
      (socket) => new Promise((resolve) => socket.once('close', resolve)),
    );
    for (const socket of this.#sockets.clients) closeSocket(socket, 'service_stopping', clock);
    await Promise.all(closings);
  }

  async #admit({ request, stream, head }: Upgrade): Promise<void> {
    const { tokens, clock, onAdmitted } = this.#parts;
    const grant = await tokens.check(request.headers.authorization);
    // A valid token passes, whatever else comes from its address.
    if (!grant) return this.#turnAway({ request, stream });
    // Checked again: the service or the worker may have stopped during the token lookup.
    if (this.#isClosed || stream.destroyed) return void stream.destroy();
    const { tokenId } = grant;
    this.#sockets.handleUpgrade(request, stream, head, (socket) => {
      if (tokenId !== null) {
        const onRevoked = () => closeSocket(socket, 'token_revoked', clock);
        this.#revocable.set(socket, { tokenId, onRevoked });
        socket.once('close', () => this.#revocable.delete(socket));
        this.#lookLater();
      }
      onAdmitted({ socket, stream, grant });
    });
  }

  #turnAway({ request, stream }: Pick<Upgrade, 'request' | 'stream'>): void {
    const retrySeconds = countRefused(request, this.#parts, 'worker');
    if (retrySeconds === null) return refuseUpgrade(stream, '401 Unauthorized');
    refuseUpgrade(stream, '429 Too Many Requests', { 'Retry-After': retrySeconds });
  }

  #lookLater(): void {
    if (this.#isClosed || this.#revocable.size === 0) return;
    this.#cancelLook ??= this.#parts.clock.after(LOOK_EVERY_MS, () => void this.#look());
  }

  /** While the records are away the connections stay. */
  async #look(): Promise<void> {
    this.#cancelLook = null;
    const tokenIds = new Set(Array.from(this.#revocable.values(), ({ tokenId }) => tokenId));
    if (tokenIds.size > 0) {
      const revokedIds = await this.#parts.tokens.revokedAmong([...tokenIds]).catch(() => []);
      for (const tokenId of revokedIds) this.#revoke(tokenId);
    }
    this.#lookLater();
  }

  #revoke(tokenId: string): void {
    for (const connection of this.#revocable.values())
      if (connection.tokenId === tokenId) connection.onRevoked();
  }
}
