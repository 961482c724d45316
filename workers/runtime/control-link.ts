import { WebSocket, type RawData } from 'ws';
import { backoffMs, type Backoff } from '#shared/backoff.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { CLOSE, mayComeBack } from '#protocol/close-codes.ts';
import { parseGatewayMessage, ProtocolError, writeMessage } from '#protocol/codec.ts';
import type { GatewayMessage } from '#protocol/gateway-messages.ts';
import { GATEWAY_PATH } from '#protocol/gateway-path.ts';
import {
  MAX_MESSAGE_BYTES,
  PROTOCOL_VERSION,
  type BuildPlacement,
  type Placement,
  type Register,
  type WorkerMessage,
} from '#protocol/worker-messages.ts';
import { TlsFaults } from './tls-faults.ts';

/** The worker's description in `register`. */
type WorkerFacts = Omit<Register, 'type' | 'protocol' | 'performing' | 'building'>;

/** A gateway message about the work, not the connection. */
export type Order = Exclude<GatewayMessage, { type: 'registered' | 'ping' }>;

type LinkListener = {
  /** Read before every `register`, as is `building`. */
  performing(): Placement[];
  building(): BuildPlacement[];
  /** The connection is registered: `send` works until it breaks. */
  opened(): void;
  received(order: Order): void;
};

type ControlLinkOptions = {
  /** The control plane's address: http(s) or ws(s). */
  url: string;
  token: string;
  facts: WorkerFacts;
  clock: Clock;
  log: Log;
  backoff?: Backoff;
  /** Limit for connecting and registering. */
  openMs?: number;
  random?: () => number;
};

/** An operator may reinstate a revoked token. */
const REVOKED_RETRY_MS = 30_000;
const CLOSE_MS = 1_000;

/*
 * idle         not opened yet
 * connecting   the socket is opening      -> registering on open; waiting on an error or timeout
 * registering  `register` is sent         -> open on `registered`; waiting on close or timeout
 * open         messages go both ways      -> waiting on close, or without a message for three pings
 * waiting      until the next attempt     -> connecting
 * closed       by `close`, or dismissed by the gateway
 */
type State =
  | { type: 'idle' | 'waiting' | 'closed' }
  | { type: 'connecting' | 'registering'; socket: WebSocket }
  | { type: 'open'; socket: WebSocket; gateway: Gateway };

/** Settings that the connected gateway sent. */
type Gateway = {
  pingEveryMs: number;
  /** Null: it wants no beats. */
  beatEveryMs: number | null;
  keepsTimelines: boolean;
};

/**
 * A worker's connection to the gateway of the control plane. Reconnects until closed or dismissed.
 * Owns its socket and timers.
 */
export class ControlLink {
  readonly #options: ControlLinkOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #tlsFaults: TlsFaults;
  readonly #dismissed = Promise.withResolvers<number>();
  readonly #registered = Promise.withResolvers<void>();
  #listener: LinkListener | null = null;
  #state: State = { type: 'idle' };
  #attempt = 0;
  /** Our token was revoked. A later 401 then means the same, not a wrong configuration. */
  #isRevoked = false;
  /** One timer at a time: opening, the gateway's silence, or the next attempt. */
  #cancelTimer: () => void = () => {};

  constructor(options: ControlLinkOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#tlsFaults = new TlsFaults(options.url, options.log);
  }

  /** Resolves with the close code when the gateway refuses this worker for good. */
  get dismissed(): Promise<number> {
    return this.#dismissed.promise;
  }

  /** Resolves when the first connection is registered. */
  get registered(): Promise<void> {
    return this.#registered.promise;
  }

  get isOpen(): boolean {
    return this.#state.type === 'open';
  }

  /** Whether the connected gateway accepts `noted`. */
  get keepsTimelines(): boolean {
    return this.#state.type === 'open' && this.#state.gateway.keepsTimelines;
  }

  /** The interval of beats that the connected gateway asks for. Null: none. */
  get beatEveryMs(): number | null {
    return this.#state.type === 'open' ? this.#state.gateway.beatEveryMs : null;
  }

  get facts(): WorkerFacts {
    return this.#options.facts;
  }

  open(listener: LinkListener): void {
    if (this.#state.type !== 'idle') return;
    this.#listener = listener;
    this.#connect();
  }

  /** False without a connection: the message is lost. */
  send(message: WorkerMessage): boolean {
    if (this.#state.type !== 'open') return false;
    this.#state.socket.send(writeMessage(message));
    return true;
  }

  /** Closes the socket and waits for it. Terminates it if the gateway does not answer in time. */
  async close(): Promise<void> {
    const socket = 'socket' in this.#state ? this.#state.socket : null;
    this.#leave('closed');
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(CLOSE_MS, () => socket.terminate());
      socket.once('close', () => {
        cancel();
        resolve();
      });
      // There is no close handshake before the socket is open.
      if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
      else socket.close(1000);
    });
  }

  #connect(): void {
    const socket = new WebSocket(gatewayUrl(this.#options.url), {
      headers: { authorization: `Bearer ${this.#options.token}` },
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    this.#state = { type: 'connecting', socket };
    // An older socket may still emit events after the next attempt began.
    const isCurrent = () => 'socket' in this.#state && this.#state.socket === socket;
    this.#setTimer(this.#options.openMs ?? 5_000, () =>
      this.#abandon(socket, 'timeout while connecting'),
    );

    socket.on('open', () => isCurrent() && this.#register(socket));
    socket.on('message', (data) => isCurrent() && this.#receive(socket, textOf(data)));
    socket.on('unexpected-response', (_request, response) => {
      if (isCurrent()) this.#ended(response.statusCode === 401 ? this.#refusal() : 1006);
      socket.terminate();
    });
    // `close` follows every error except an unexpected response, handled above.
    socket.on('error', (error) => {
      this.#log.debug({ err: error }, 'gateway socket error');
      this.#tlsFaults.failed(error);
    });
    socket.on('close', (code) => isCurrent() && this.#ended(code));
  }

  #register(socket: WebSocket): void {
    this.#state = { type: 'registering', socket };
    const performing = this.#listener?.performing() ?? [];
    const building = this.#listener?.building() ?? [];
    const { facts } = this.#options;
    socket.send(
      writeMessage({
        type: 'register',
        protocol: PROTOCOL_VERSION,
        ...facts,
        performing,
        building,
      }),
    );
  }

  #receive(socket: WebSocket, text: string): void {
    const message = this.#parse(text);
    if (!message) return this.#abandon(socket, 'invalid message');
    if (this.#state.type === 'open') this.#watch(socket, this.#state.gateway.pingEveryMs);

    switch (message.type) {
      case 'registered':
        this.#state = {
          type: 'open',
          socket,
          gateway: {
            pingEveryMs: message.pingEveryMs,
            beatEveryMs: message.beatEveryMs ?? null,
            keepsTimelines: message.keepsTimelines ?? false,
          },
        };
        this.#registered.resolve();
        this.#attempt = 0;
        this.#isRevoked = false;
        this.#tlsFaults.succeeded();
        this.#watch(socket, message.pingEveryMs);
        this.#log.info({ workerId: this.#options.facts.workerId }, 'registered with the gateway');
        this.#listener?.opened();
        return;
      case 'ping':
        this.send({ type: 'pong' });
        return;
      case 'assign':
      case 'end':
      case 'release':
      case 'drop':
      case 'build':
      case 'drop_build':
      case 'drain':
      case 'ack':
        this.#listener?.received(message);
    }
  }

  #parse(text: string): GatewayMessage | null {
    try {
      return parseGatewayMessage(text);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#log.warn({ err: error }, 'invalid gateway message');
      return null;
    }
  }

  /** Silence is the only sign of a gateway whose machine died. */
  #watch(socket: WebSocket, pingEveryMs: number): void {
    this.#setTimer(3 * pingEveryMs, () => this.#abandon(socket, 'no message for three pings'));
  }

  #abandon(socket: WebSocket, why: string): void {
    this.#log.warn({ why }, 'gateway connection abandoned');
    this.#ended(1006);
    socket.terminate();
  }

  /** Called once per socket, which is no longer current afterwards. */
  #ended(code: number): void {
    if (!mayComeBack(code)) {
      this.#log.error({ code }, 'the gateway refuses this worker');
      this.#leave('closed');
      this.#dismissed.resolve(code);
      return;
    }
    this.#leave('waiting');
    this.#attempt += 1;
    if (code === CLOSE.token_revoked.code) {
      this.#isRevoked = true;
      this.#log.error({ code, waitMs: REVOKED_RETRY_MS }, 'the token of this worker was revoked');
      return this.#setTimer(REVOKED_RETRY_MS, () => this.#connect());
    }
    const { backoff = { firstMs: 100, maxMs: 2_000 }, random } = this.#options;
    const waitMs = backoffMs(this.#attempt, backoff, random);
    this.#log.info({ code, attempt: this.#attempt, waitMs }, 'gateway connection lost');
    this.#setTimer(waitMs, () => this.#connect());
  }

  /** The close code that a 401 stands for. */
  #refusal(): number {
    return CLOSE[this.#isRevoked ? 'token_revoked' : 'wrong_token'].code;
  }

  #leave(type: 'waiting' | 'closed'): void {
    this.#cancelTimer();
    this.#cancelTimer = () => {};
    this.#state = { type };
  }

  #setTimer(ms: number, run: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(ms, run);
  }
}

/** With the default `binaryType`, a message is one Buffer. */
const textOf = (data: RawData): string => (data as Buffer).toString('utf8');

function gatewayUrl(url: string): URL {
  const address = new URL(GATEWAY_PATH, url);
  address.protocol = address.protocol.replace(/^http/, 'ws');
  return address;
}
