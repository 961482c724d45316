import { once } from 'node:events';
import { WebSocket } from 'ws';
import { newName } from '#shared/ids.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { BuildPlacement } from '#protocol/worker/build-messages.ts';
import { parseGatewayMessage, writeMessage } from '#protocol/codec.ts';
import type { Assign, Build, GatewayMessage } from '#protocol/worker/gateway-messages.ts';
import { GATEWAY_PATH } from '#protocol/worker/gateway-path.ts';
import type { PictureProblem } from '#protocol/pictures/picture-problems.ts';
import { DRAWS_FRAMES } from '#protocol/pictures/frames.ts';
import { DRAWS_SHEETS, type Sheet } from '#protocol/pictures/sheets.ts';
import { TAKES_STILLS } from '#protocol/pictures/stills.ts';
import { WORKER_ID_HEADER, WORKER_SECRET_HEADER } from '#protocol/call-brief.ts';
import { newWorkerIdentity } from '#protocol/worker/worker-id.ts';
import type { Placement } from '#protocol/placement.ts';
import {
  PROTOCOL_VERSION,
  type Register,
  type WorkerMessage,
} from '#protocol/worker/worker-messages.ts';

/** An unacknowledged report is repeated after this long, as a worker does. */
const RESEND_MS = 5_000;

const TINY_SHEET: Sheet = { tiles: ['rest'], columns: 1, tileSide: 1, jpeg: '/9j/2Q==' };

/** How the worker answers assignments. `full` refuses as if all slots were taken. */
type Mood = 'accepts' | 'refuses' | 'full' | 'silent';

export type SimulatedWorkerOptions = Partial<Omit<Register, 'type'>> & {
  /** The control plane's address, ws:// or http://. */
  url: string;
  token: string;
};

type MessageOf<Type extends GatewayMessage['type']> = Extract<GatewayMessage, { type: Type }>;

/**
 * A worker without media that speaks the real protocol to the real gateway and does what a test
 * asks. It answers pings, `end` and, by its `mood`, assignments, and drops what the gateway drops.
 * Close it in every test.
 */
export class SimulatedWorker {
  readonly workerId: string;
  /** Undefined for a worker with a given id, as older ones. */
  readonly secret: string | undefined;
  readonly performing = new Map<string, Assign>();
  /** The current build, for a worker that builds avatars. */
  building: Build | null = null;
  /** All messages from the gateway, in order. */
  readonly messages: GatewayMessage[] = [];
  mood: Mood = 'accepts';
  answersPings = true;
  /** Still of a session, as JPEG in base64. Null: `take_still` gets no answer. */
  still: ((placement: Placement) => string) | null = () => '/9j/2Q==';
  /** Close code of the last connection. */
  closeCode: number | null = null;
  /** Null: it answers no `draw_sheet`. */
  sheet: ((avatarId: string) => Sheet) | null = () => TINY_SHEET;
  readonly #options: SimulatedWorkerOptions;
  readonly #watchers = new Set<() => void>();
  #socket: WebSocket | null = null;
  /** How many messages of each type in `messages` the test has taken. */
  readonly #takenCounts = new Map<string, number>();

  constructor(options: SimulatedWorkerOptions) {
    this.#options = options;
    const { workerId, secret, kind = 'avatar', token } = options;
    const identity = workerId === undefined ? newWorkerIdentity(kind, token) : { workerId, secret };
    this.workerId = identity.workerId;
    this.secret = identity.secret;
  }

  /** Of its HTTP requests. */
  get headers(): Record<string, string> {
    return {
      authorization: `Bearer ${this.#options.token}`,
      [WORKER_ID_HEADER]: this.workerId,
      ...(this.secret !== undefined && { [WORKER_SECRET_HEADER]: this.secret }),
    };
  }

  /** Connects and registers, also again. Resolves when the gateway has answered. */
  async join(): Promise<this> {
    await this.connect();
    this.register();
    await this.next('registered');
    return this;
  }

  register(): void {
    const { newestProtocol } = this.#options;
    const isAvatar = this.#options.kind !== 'agent';
    this.say({
      type: 'register',
      protocol: this.#options.protocol ?? PROTOCOL_VERSION,
      ...(newestProtocol !== undefined && { newestProtocol }),
      workerId: this.workerId,
      ...(this.secret !== undefined && { secret: this.secret }),
      kind: this.#options.kind ?? 'avatar',
      slots: this.#options.slots ?? 1,
      transports:
        this.#options.transports ?? (isAvatar ? ['mediaserver', 'botroom'] : ['mediaserver']),
      avatars: this.#options.avatars ?? (isAvatar ? ['mira'] : []),
      ...(this.#options.pool && { pool: this.#options.pool }),
      abilities:
        this.#options.abilities ??
        (isAvatar ? ['speech_sources', TAKES_STILLS, DRAWS_SHEETS, DRAWS_FRAMES] : []),
      version: this.#options.version ?? '0.0.0',
      ...(this.#options.host !== undefined && { host: this.#options.host }),
      performing: [...this.performing.values()].map(({ placement }) => placement),
      building: this.building ? [this.building.placement] : [],
    });
  }

  /** Resolves when all messages in flight, and the worker's answers to them, have arrived. */
  async atRest(): Promise<void> {
    await this.#thereAndBack();
    await this.#thereAndBack();
  }

  /** Hangs: stops reading the socket, close frames included. */
  stopReading(): void {
    this.#socket?.pause();
  }

  /** Opens the socket without registering. Rejects when the gateway refuses it. */
  async connect(): Promise<void> {
    const url = new URL(GATEWAY_PATH, this.#options.url.replace(/^http/, 'ws'));
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${this.#options.token}` },
    });
    socket.on('message', (data) => this.#hear(parseGatewayMessage((data as Buffer).toString())));
    socket.on('close', (code) => {
      if (this.#socket !== socket) return;
      this.closeCode = code;
      for (const watch of this.#watchers) watch();
    });
    await once(socket, 'open');
    socket.on('error', () => {});
    this.closeCode = null;
    this.#socket = socket;
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  say(message: WorkerMessage): void {
    this.sayText(writeMessage(message));
  }

  sayText(text: string): void {
    this.#socket?.send(text);
  }

  /** Waits for the next message of this type that the test has not taken. */
  async next<Type extends GatewayMessage['type']>(type: Type): Promise<MessageOf<Type>> {
    const place = this.#takenCounts.get(type) ?? 0;
    this.#takenCounts.set(type, place + 1);
    const find = () => this.messages.filter((message) => message.type === type)[place];
    await this.#when(() => find() ?? this.closeCode);
    const message = find();
    if (message) return message as MessageOf<Type>;
    this.#takenCounts.set(type, place);
    throw new Error(`closed with ${this.closeCode} before a ${type} came`);
  }

  /** Resolves with the close code. */
  async closed(): Promise<number> {
    await this.#when(() => this.closeCode);
    return this.closeCode ?? 0;
  }

  /** Reports the first frame. Resolves when the gateway has acknowledged it. */
  async started(placement: Placement, agoMs = 0): Promise<void> {
    await this.#report({ type: 'started', id: newName('report'), placement, agoMs });
  }

  async ended(placement: Placement, reason: EndReason, agoMs = 0, detail?: string): Promise<void> {
    this.performing.delete(placement.sessionId);
    const facts = { placement, agoMs, reason, ...(detail !== undefined && { detail }) };
    await this.#report({ type: 'ended', id: newName('report'), ...facts });
  }

  /** Resolves when the gateway has acknowledged. */
  async built(placement: BuildPlacement, bundle: string, portrait: string): Promise<void> {
    this.building = null;
    const id = newName('report');
    await this.#report({ type: 'built', id, placement, agoMs: 0, bundle, portrait });
  }

  async buildFailed(placement: BuildPlacement, reason: PictureProblem): Promise<void> {
    this.building = null;
    const id = newName('report');
    await this.#report({ type: 'build_failed', id, placement, agoMs: 0, reason });
  }

  /** Kills the process with its sessions. The object may join again, as a restarted process. */
  crash(): void {
    this.performing.clear();
    this.building = null;
    this.loseConnection();
  }

  /** Breaks the connection; the sessions continue. */
  loseConnection(): void {
    this.#socket?.terminate();
  }

  /** Closes the connection cleanly. */
  async close(): Promise<void> {
    const socket = this.#socket;
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    socket.resume();
    socket.close(1000);
    await once(socket, 'close');
  }

  async #report(report: Extract<WorkerMessage, { id: string }>): Promise<void> {
    this.say(report);
    const resending = setInterval(() => this.say(report), RESEND_MS);
    const isAcknowledged = () =>
      this.messages.some((message) => message.type === 'ack' && message.id === report.id);
    await this.#when(() => isAcknowledged() || this.closeCode !== null);
    clearInterval(resending);
    if (!isAcknowledged()) throw new Error(`closed with ${this.closeCode} before the ack`);
  }

  async #thereAndBack(): Promise<void> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN || socket.isPaused) return;
    // The pong arrives after everything that the gateway sent before.
    const stop = new AbortController();
    const answered = ['pong', 'close'].map((event) => once(socket, event, { signal: stop.signal }));
    socket.ping();
    await Promise.race(answered);
    stop.abort();
  }

  #hear(message: GatewayMessage): void {
    this.messages.push(message);
    switch (message.type) {
      case 'ping':
        if (this.answersPings) this.say({ type: 'pong' });
        break;
      case 'assign':
        this.#answer(message);
        break;
      case 'end': {
        const { placement, reason } = message;
        this.performing.delete(placement.sessionId);
        this.say({ type: 'ended', id: newName('report'), placement, agoMs: 0, reason });
        break;
      }
      case 'drop': {
        const { sessionId, epoch } = message.placement;
        const assign = this.performing.get(sessionId);
        if (assign?.placement.epoch === epoch) this.performing.delete(sessionId);
        break;
      }
      case 'take_still': {
        const { placement } = message;
        if (this.still) this.say({ type: 'still', placement, jpeg: this.still(placement) });
        break;
      }
      case 'draw_sheet': {
        const { avatarId } = message;
        if (this.sheet) this.say({ type: 'sheet', avatarId, sheet: this.sheet(avatarId) });
        break;
      }
      case 'build':
        this.building = message;
        break;
      case 'drop_build':
        this.building = null;
        break;
      case 'registered':
      case 'release':
      case 'drain':
      case 'change_picture':
      case 'set_log_level':
      case 'ack':
    }
    for (const watch of this.#watchers) watch();
  }

  #answer(assign: Assign): void {
    const { placement } = assign;
    switch (this.mood) {
      case 'accepts':
        this.performing.set(placement.sessionId, assign);
        return this.say({ type: 'accepted', placement });
      case 'refuses':
        return this.say({ type: 'refused', placement, why: 'told to' });
      case 'full':
        return this.say({ type: 'refused', placement, why: 'full' });
      case 'silent':
    }
  }

  async #when(isTrue: () => unknown): Promise<void> {
    if (isTrue()) return;
    await new Promise<void>((resolve) => {
      const watch = () => {
        if (!isTrue()) return;
        this.#watchers.delete(watch);
        resolve();
      };
      this.#watchers.add(watch);
    });
  }
}
