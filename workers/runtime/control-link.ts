/*
 * A worker's connection to the control plane's gateway.
 *
 * idle        made, not opened
 * connecting  the socket is being opened      -> registering on open; waiting on an error or when it takes too long
 * registering `register` is sent              -> open on `registered`; waiting when it takes too long or is closed
 * open        messages go both ways           -> waiting when closed, or when the gateway was silent for three pings
 * waiting     until the next try              -> connecting
 * closed      by `close`, or because the gateway said not to come back (`dismissed`)
 *
 * Only the newest socket counts: what an older one still says is ignored. The link owns its socket and timers; `close` ends both.
 */
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

export type WorkerFacts = Omit<Register, 'type' | 'protocol' | 'performing' | 'building'>;

/** What concerns the work, not the connection. */
export type Order = Exclude<GatewayMessage, { type: 'registered' | 'ping' }>;

export type LinkListener = {
  /** Asked before every `register`. */
  performing(): Placement[];
  building(): BuildPlacement[];
  /** A connection stands: from now until it breaks `send` works. */
  opened(): void;
  received(order: Order): void;
};

export type ControlLinkOptions = {
  /** The control plane's address: http(s) or ws(s). */
  url: string;
  token: string;
  facts: WorkerFacts;
  clock: Clock;
  log: Log;
  backoff?: Backoff;
  /** How long a connection may take until it is registered. */
  openMs?: number;
  random?: () => number;
};

/** A worker whose token is revoked asks again now and then. */
const REVOKED_RETRY_MS = 30_000;

type State = 'idle' | 'connecting' | 'registering' | 'open' | 'waiting' | 'closed';

export class ControlLink {
  readonly #options: ControlLinkOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #tlsFaults: TlsFaults;
  readonly #dismissed = Promise.withResolvers<number>();
  readonly #registered = Promise.withResolvers<void>();
  #listener: LinkListener | null = null;
  #state: State = 'idle';
  #socket: WebSocket | null = null;
  #attempt = 0;
  #pingEveryMs = 0;
  #keepsTimelines = false;
  #beatEveryMs: number | null = null;
  /** The gateway has said that our token is: it is wrong from now on, and still no mistake of whoever set this worker up. */
  #isRevoked = false;
  /** One timer at a time: opening, the gateway's silence, or the next try. */
  #cancelTimer: () => void = () => {};

  constructor(options: ControlLinkOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#tlsFaults = new TlsFaults(options.url, options.log);
  }

  /** Resolves with the close code when the gateway says not to come back. */
  get dismissed(): Promise<number> {
    return this.#dismissed.promise;
  }

  /** Resolves when the first connection stands. */
  get registered(): Promise<void> {
    return this.#registered.promise;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** The gateway of this connection knows what `noted` is. */
  get keepsTimelines(): boolean {
    return this.#keepsTimelines;
  }

  /** How often the gateway of this connection wants a beat; null: never. */
  get beatEveryMs(): number | null {
    return this.#beatEveryMs;
  }

  get facts(): WorkerFacts {
    return this.#options.facts;
  }

  open(listener: LinkListener): void {
    if (this.#state !== 'idle') return;
    this.#listener = listener;
    this.#connect();
  }

  /** False when there is no connection; then nothing is kept. */
  send(message: WorkerMessage): boolean {
    if (this.#state !== 'open') return false;
    this.#socket?.send(writeMessage(message));
    return true;
  }

  /** Says goodbye and waits for the socket's end; one that does not answer is cut after a second. */
  async close(): Promise<void> {
    const socket = this.#socket;
    this.#leave('closed');
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(1_000, () => socket.terminate());
      socket.once('close', () => {
        cancel();
        resolve();
      });
      // A socket that is still being opened has nobody to say goodbye to.
      if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
      else socket.close(1000);
    });
  }

  #connect(): void {
    this.#state = 'connecting';
    const socket = new WebSocket(gatewayUrl(this.#options.url), {
      headers: { authorization: `Bearer ${this.#options.token}` },
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    const isCurrent = () => this.#socket === socket;
    this.#setTimer(this.#options.openMs ?? 5_000, () => this.#giveUp(socket, 'opening timed out'));

    socket.on('open', () => isCurrent() && this.#register(socket));
    socket.on('message', (data) => isCurrent() && this.#receive(socket, textOf(data)));
    socket.on('unexpected-response', (_request, response) => {
      if (isCurrent()) this.#ended(response.statusCode === 401 ? this.#refusal() : 1006);
      socket.terminate();
    });
    // An error is always followed by `close`, except for an unexpected response, handled above.
    socket.on('error', (error) => {
      this.#log.debug({ err: error }, 'worker socket failed');
      this.#tlsFaults.failed(error);
    });
    socket.on('close', (code) => isCurrent() && this.#ended(code));
  }

  #register(socket: WebSocket): void {
    this.#state = 'registering';
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
    if (!message) return this.#giveUp(socket, 'not understood');
    if (this.#state === 'open') this.#watch(socket);

    switch (message.type) {
      case 'registered':
        this.#pingEveryMs = message.pingEveryMs;
        this.#keepsTimelines = message.keepsTimelines ?? false;
        this.#beatEveryMs = message.beatEveryMs ?? null;
        this.#state = 'open';
        this.#registered.resolve();
        this.#attempt = 0;
        this.#isRevoked = false;
        this.#tlsFaults.succeeded();
        this.#watch(socket);
        this.#log.info({ workerId: this.#options.facts.workerId }, 'registered at the gateway');
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
      this.#log.warn({ err: error }, 'gateway message refused');
      return null;
    }
  }

  /** A gateway that died with its machine closes nothing: silence is the only sign. */
  #watch(socket: WebSocket): void {
    this.#setTimer(3 * this.#pingEveryMs, () => this.#giveUp(socket, 'the gateway fell silent'));
  }

  #giveUp(socket: WebSocket, why: string): void {
    this.#log.warn({ why }, 'gateway connection given up');
    this.#ended(1006);
    socket.terminate();
  }

  /** Called once for each socket: afterwards it is not the current one. */
  #ended(code: number): void {
    if (!mayComeBack(code)) {
      this.#log.error({ code }, 'the gateway does not want this worker');
      this.#leave('closed');
      this.#dismissed.resolve(code);
      return;
    }
    this.#leave('waiting');
    this.#attempt += 1;
    if (code === CLOSE.token_revoked.code) {
      this.#isRevoked = true;
      this.#log.error({ code, waitMs: REVOKED_RETRY_MS }, 'the token of this worker is revoked');
      return this.#setTimer(REVOKED_RETRY_MS, () => this.#connect());
    }
    const { backoff = { firstMs: 100, maxMs: 2_000 }, random } = this.#options;
    const waitMs = backoffMs(this.#attempt, backoff, random);
    this.#log.info({ code, attempt: this.#attempt, waitMs }, 'gateway connection lost');
    this.#setTimer(waitMs, () => this.#connect());
  }

  /** What a 401 means. */
  #refusal(): number {
    return CLOSE[this.#isRevoked ? 'token_revoked' : 'wrong_token'].code;
  }

  #leave(state: 'waiting' | 'closed'): void {
    this.#cancelTimer();
    this.#cancelTimer = () => {};
    this.#socket = null;
    this.#state = state;
  }

  #setTimer(ms: number, run: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(ms, run);
  }
}

/** Sockets hand over one Buffer a message, as long as nobody changes their `binaryType`. */
const textOf = (data: RawData): string => (data as Buffer).toString('utf8');

function gatewayUrl(url: string): URL {
  const address = new URL(GATEWAY_PATH, url);
  address.protocol = address.protocol.replace(/^http/, 'ws');
  return address;
}
