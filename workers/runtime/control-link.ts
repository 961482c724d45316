import { WebSocket, type RawData } from 'ws';
import { backoffMs, type Backoff } from '#shared/backoff.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { BuildPlacement } from '#protocol/worker/build-messages.ts';
import { parseGatewayMessage, ProtocolError, writeMessage } from '#protocol/codec.ts';
import type { GatewayMessage } from '#protocol/worker/gateway-messages.ts';
import { GATEWAY_PATH } from '#protocol/worker/gateway-path.ts';
import { PROTOCOLS } from '#protocol/worker/protocol-version.ts';
import type { Placement } from '#protocol/placement.ts';
import {
  MAX_MESSAGE_BYTES,
  type Register,
  type WorkerMessage,
} from '#protocol/worker/worker-messages.ts';
import {
  advanceLink,
  type GatewaySettings,
  type LinkEffect,
  type LinkEvent,
  type LinkState,
} from './link-state.ts';
import { TlsFaults } from './tls-faults.ts';

/** The worker's description in `register`. */
type WorkerFacts = Omit<
  Register,
  'type' | 'protocol' | 'newestProtocol' | 'performing' | 'building'
>;

type Registered = Extract<GatewayMessage, { type: 'registered' }>;

/** A gateway message about the work, not the connection. */
export type WorkMessage = Exclude<GatewayMessage, { type: 'registered' | 'ping' }>;

/** A worker ignores messages that it has no handler for. */
export type WorkHandlers = {
  [Type in WorkMessage['type']]?: (message: Extract<WorkMessage, { type: Type }>) => void;
};

type LinkListener = {
  /** Read before every `register`, as is `building`. */
  performing(): Placement[];
  building(): BuildPlacement[];
  /** The connection is registered: `send` works until it breaks. */
  opened(): void;
  received(message: WorkMessage): void;
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

const OPEN_MS = 5_000;
const CLOSE_MS = 1_000;
const BACKOFF: Backoff = { firstMs: 100, maxMs: 2_000 };
/** Retries before the first registration: the control plane may be starting beside this worker. */
const FIRST_BACKOFF: Backoff = { firstMs: 100, maxMs: 300 };
const FIRST_ATTEMPTS = 40;

/**
 * A worker's connection to the gateway of the control plane. Reconnects until closed or dismissed.
 * Owns its socket and timers.
 */
export class ControlLink {
  readonly #options: ControlLinkOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #tlsFaults: TlsFaults;
  #facts: WorkerFacts;
  /** Those that the connected gateway knows. */
  #toldAbilities: WorkerFacts['abilities'];
  readonly #dismissed = Promise.withResolvers<number>();
  readonly #registered = Promise.withResolvers<void>();
  #listener: LinkListener | null = null;
  #state: LinkState = { type: 'idle' };
  /** The latest socket. Its events are ignored in `waiting` and `closed`. */
  #socket: WebSocket | null = null;
  #hasRegistered = false;
  #cancelTimer: () => void = () => {};

  constructor(options: ControlLinkOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#facts = options.facts;
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

  /** Whether the connected gateway accepts timeline events. */
  get keepsTimelines(): boolean {
    return this.#state.type === 'open' && this.#state.gateway.keepsTimelines;
  }

  /** Whether the connected gateway knows the end reason `budget_reached`. */
  get takesBudgetEnds(): boolean {
    return this.#state.type === 'open' && this.#state.gateway.takesBudgetEnds;
  }

  /** The interval of beats that the connected gateway asks for. Null: none. */
  get beatEveryMs(): number | null {
    return this.#state.type === 'open' ? this.#state.gateway.beatEveryMs : null;
  }

  get facts(): WorkerFacts {
    return this.#facts;
  }

  /** Tells the gateway now, or with the next `register`. */
  changeAbilities(abilities: string[]): void {
    this.#facts = { ...this.#facts, abilities };
    this.#tellAbilities();
  }

  open(listener: LinkListener): void {
    if (this.#state.type !== 'idle') return;
    this.#listener = listener;
    this.#dispatch({ type: 'opened' });
  }

  /** False without a connection: the message is lost. */
  send(message: WorkerMessage): boolean {
    if (this.#state.type !== 'open') return false;
    this.#socket?.send(writeMessage(message));
    return true;
  }

  /** Closes the socket and waits for it. Terminates it if the gateway does not answer in time. */
  async close(): Promise<void> {
    const socket = hasSocket(this.#state) ? this.#socket : null;
    this.#dispatch({ type: 'closed' });
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

  #dispatch(event: LinkEvent): void {
    const { state, effects } = advanceLink(this.#state, event, this.#options.openMs ?? OPEN_MS);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: LinkEffect): void {
    switch (effect.type) {
      case 'connect':
        return this.#connect();
      case 'send_register':
        return this.#register();
      case 'report_registered':
        this.#hasRegistered = true;
        this.#registered.resolve();
        this.#tlsFaults.succeeded();
        this.#log.info({ workerId: this.facts.workerId }, 'registered with the gateway');
        this.#tellAbilities();
        return this.#listener?.opened();
      case 'start_timer':
        return this.#startTimer(effect.ms);
      case 'stop_timer':
        return this.#cancelTimer();
      case 'abandon':
        this.#log.warn({ why: effect.why }, 'gateway connection abandoned');
        return this.#socket?.terminate();
      case 'back_off':
        return this.#backOff(effect);
      case 'report_revoked': {
        const { code, waitMs } = effect;
        return this.#log.error({ code, waitMs }, 'the token of this worker was revoked');
      }
      case 'dismiss':
        this.#log.error({ code: effect.code }, 'the gateway refuses this worker');
        return this.#dismissed.resolve(effect.code);
    }
  }

  #connect(): void {
    const socket = new WebSocket(gatewayUrl(this.#options.url), {
      headers: { authorization: `Bearer ${this.#options.token}` },
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    // An older socket may still emit events after the next attempt began.
    const dispatch = (event: LinkEvent) => this.#isCurrent(socket) && this.#dispatch(event);

    socket.on('open', () => dispatch({ type: 'socket_opened' }));
    socket.on('message', (data) => this.#isCurrent(socket) && this.#receive(textOf(data)));
    socket.on('unexpected-response', (_request, { statusCode }) => {
      dispatch({ type: 'upgrade_refused', status: statusCode });
      socket.terminate();
    });
    // `close` follows every error except an unexpected response, handled above.
    socket.on('error', (error) => {
      this.#log.debug({ err: error }, 'gateway socket error');
      this.#tlsFaults.failed(error);
    });
    socket.on('close', (code) => dispatch({ type: 'socket_closed', code }));
  }

  #isCurrent(socket: WebSocket): boolean {
    return this.#socket === socket && hasSocket(this.#state);
  }

  #register(): void {
    const performing = this.#listener?.performing() ?? [];
    const building = this.#listener?.building() ?? [];
    this.#toldAbilities = this.#facts.abilities;
    this.#socket?.send(
      writeMessage({
        type: 'register',
        protocol: PROTOCOLS.oldest,
        newestProtocol: PROTOCOLS.newest,
        ...this.facts,
        performing,
        building,
      }),
    );
  }

  /** Older gateways close the connection at messages that they do not know. */
  #tellAbilities(): void {
    const { abilities } = this.#facts;
    if (this.#state.type !== 'open' || !this.#state.gateway.takesAbilities) return;
    if (abilities === undefined || abilities === this.#toldAbilities) return;
    this.#toldAbilities = abilities;
    this.send({ type: 'abilities', abilities });
  }

  #receive(text: string): void {
    const message = this.#parse(text);
    if (!message) return;
    this.#dispatch({ type: 'message_received' });

    if (message.type === 'registered')
      this.#dispatch({ type: 'registered', gateway: settingsOf(message) });
    else if (message.type === 'ping') this.send({ type: 'pong' });
    else this.#listener?.received(message);
  }

  /** Null: ignore it. Newer gateways may send messages that this worker does not know. */
  #parse(text: string): GatewayMessage | null {
    try {
      return parseGatewayMessage(text);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#log.warn({ err: error }, 'gateway message ignored');
      return null;
    }
  }

  #backOff({ code, attempt }: Extract<LinkEffect, { type: 'back_off' }>): void {
    const isStarting = !this.#hasRegistered && attempt <= FIRST_ATTEMPTS;
    const { backoff = isStarting ? FIRST_BACKOFF : BACKOFF, random } = this.#options;
    const waitMs = backoffMs(attempt, backoff, random);
    this.#log.info({ code, attempt, waitMs }, 'gateway connection lost');
    this.#startTimer(waitMs);
  }

  #startTimer(ms: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(ms, () => this.#dispatch({ type: 'timer' }));
  }
}

const hasSocket = ({ type }: LinkState): boolean =>
  type === 'connecting' || type === 'registering' || type === 'open';

const settingsOf = (message: Registered): GatewaySettings => ({
  pingEveryMs: message.pingEveryMs,
  beatEveryMs: message.beatEveryMs ?? null,
  keepsTimelines: message.keepsTimelines ?? false,
  takesBudgetEnds: message.takesBudgetEnds ?? false,
  takesAbilities: message.takesAbilities ?? false,
});

/** With the default `binaryType`, a message is one Buffer. */
const textOf = (data: RawData): string => (data as Buffer).toString('utf8');

function gatewayUrl(url: string): URL {
  const address = new URL(GATEWAY_PATH, url);
  address.protocol = address.protocol.replace(/^http/, 'ws');
  return address;
}
