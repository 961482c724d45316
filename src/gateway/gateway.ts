/*
 * Where workers connect. An admitted connection registers in time or is closed. A registered one is
 * in the fleet until it closes, falls silent, breaks the protocol or is replaced by a newer one.
 * A lost worker has a moment to reconnect: its media continues, so its sessions stay with it.
 *
 * The gateway owns the sockets. Close it before sessions and fleet, so that no worker counts as
 * lost.
 */
import type { RawData, WebSocket } from 'ws';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { CloseName } from '#protocol/worker/close-codes.ts';
import { parseWorkerMessage, ProtocolError, protocolsOfRegister } from '#protocol/codec.ts';
import {
  agreedProtocol,
  PROTOCOLS,
  type ProtocolRange,
} from '#protocol/worker/protocol-version.ts';
import type { Register, WorkerMessage } from '#protocol/worker/worker-messages.ts';
import type { Builds } from '../avatars/builds.ts';
import { DEFAULT_POOL, type Fleet, type Placement, type WorkerFacts } from '../fleet/fleet.ts';
import type { WorkerReports } from '../sessions/reports/worker-reports.ts';
import { Admission, type Admitted, type Handshakes } from './admission.ts';
import { BeatWatch } from './beat-watch.ts';
import { startHeartbeat } from './heartbeat.ts';
import { Receiver } from './receiver.ts';
import { registrationProblem } from './registration.ts';
import { usualTimes, type GatewayTimes } from './times.ts';
import { WorkerConnections } from './worker-connections.ts';
import { closeSocket, WorkerLink } from './worker-link.ts';

type GatewayOptions = {
  handshakes: Handshakes;
  fleet: Fleet;
  reports: WorkerReports;
  builds: Pick<
    Builds,
    'workerCame' | 'workerAway' | 'workerLost' | 'progressed' | 'refused' | 'settled'
  >;
  clock: Clock;
  log: Log;
  times?: Partial<GatewayTimes>;
  /** Default: those of this version. */
  protocols?: ProtocolRange | undefined;
};

/** `protocol`: the version of the connection. */
type Registering = { register: Register; protocol: number };

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #times: GatewayTimes;
  readonly #admission: Admission;
  readonly #workers: WorkerConnections;
  readonly #receiver: Receiver;
  readonly #beats: BeatWatch;
  #isClosing = false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#times = { ...usualTimes, ...options.times };
    this.#workers = new WorkerConnections({ ...options, ...this.#times });
    this.#beats = new BeatWatch(options.clock, this.#times.beatEveryMs);
    this.#receiver = new Receiver({
      ...options,
      onViolation: (link) => this.#expel(link, 'bad_message'),
    });
    const { handshakes, clock, log } = options;
    this.#admission = new Admission({
      ...handshakes,
      clock,
      log,
      onAdmitted: (admitted) => this.#awaitRegister(admitted),
    });
  }

  /** Rejects once it takes no more workers. For readiness. */
  async check(): Promise<void> {
    if (this.#isClosing) throw new Error('the gateway is closing');
  }

  /** Resolves when every socket is closed. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#workers.close();
    await this.#admission.close();
  }

  #awaitRegister(admitted: Admitted): void {
    const { clock, log } = this.#options;
    const { socket } = admitted;
    const cancel = clock.after(this.#times.registerMs, () => this.#close(socket, 'not_registered'));
    socket.on('error', (error) => log.warn({ err: error }, 'worker socket failed'));
    socket.once('close', cancel);
    socket.once('message', (data) => {
      cancel();
      // Closed for its token or its silence, with the message still in flight.
      if (socket.readyState !== socket.OPEN) return;
      const registering = this.#readRegister(socket, textOf(data));
      if (registering && this.#mayRegister(registering.register, admitted))
        this.#register(registering, admitted);
    });
  }

  /** Null when the socket was closed instead. */
  #readRegister(socket: WebSocket, text: string): Registering | null {
    try {
      const workerRange = protocolsOfRegister(text);
      const ownRange = this.#options.protocols ?? PROTOCOLS;
      const protocol = workerRange && agreedProtocol(workerRange, ownRange);
      if (workerRange && protocol === null) {
        this.#options.log.error({ workerRange, ownRange }, 'unsupported worker protocol');
        this.#close(socket, 'wrong_protocol');
        return null;
      }
      const register = parseWorkerMessage(text);
      if (protocol !== null && register.type === 'register') return { register, protocol };
      this.#close(socket, 'not_registered');
    } catch (error) {
      this.#logRefused(error);
      this.#close(socket, 'bad_message');
    }
    return null;
  }

  /** False when the socket was closed instead. */
  #mayRegister(register: Register, { socket, grant }: Admitted): boolean {
    const { workerId } = register;
    const problem = registrationProblem(register, grant, this.#workers.newest(workerId));
    if (problem === null) return true;
    const { tokenId } = grant;
    this.#options.log.error({ workerId, tokenId, problem }, 'worker registration refused');
    this.#close(socket, 'wrong_token');
    return false;
  }

  #register({ register, protocol }: Registering, { socket, stream, grant }: Admitted): void {
    const { clock, log, fleet, reports, builds } = this.#options;
    const { pingEveryMs, beatEveryMs, answerMs } = this.#times;
    const facts = factsOf(register);
    const { workerId } = facts;
    const { tokenId } = grant;
    const link = new WorkerLink({ socket, stream, facts, tokenId, clock, answerMs });
    const heartbeat = startHeartbeat({
      clock,
      everyMs: pingEveryMs,
      ping: () => link.ping(),
      onSilent: () => this.#expel(link, 'silent'),
    });
    const beats = this.#beats.add(() => this.#expel(link, 'silent'));
    socket.on('message', (data) => {
      heartbeat.heard();
      beats.heard();
      const message = this.#receive(link, textOf(data));
      if (message?.type === 'beat') beats.performs(message.performing);
    });
    socket.once('close', (code) => {
      heartbeat.stop();
      beats.stop();
      this.#workers.disconnected(link, code);
    });

    this.#admission.onRevoked(socket, () => this.#expel(link, 'token_revoked'));
    this.#workers.registered(link);
    reports.workerCame(workerId, register.performing);
    for (const placement of register.performing) void this.#claim(link, placement);
    // Speech recognition blocks an agent worker for seconds, so only its pings count.
    const beating = facts.kind === 'avatar' && { beatEveryMs };
    const accepts = { keepsTimelines: true, takesBudgetEnds: true, takesAbilities: true };
    link.send({ type: 'registered', protocol, pingEveryMs, ...beating, ...accepts });
    if (facts.abilities.includes('builds')) builds.workerCame(link, register.building ?? []);
    log.info({ ...facts, protocol, performing: register.performing.length }, 'worker registered');
    fleet.join(link).catch((error: unknown) => {
      log.error({ workerId, err: error }, 'worker not joined');
      this.#expel(link, 'service_stopping');
    });
  }

  /** The worker keeps a session whose owner does not answer: its media continues. */
  async #claim(link: WorkerLink, placement: Placement): Promise<void> {
    const { log, reports } = this.#options;
    const { workerId } = link.facts;
    try {
      const verdict = await reports.handle(placement, { type: 'claimed', workerId });
      if (verdict === 'stale') link.send({ type: 'drop', placement });
    } catch (err) {
      log.warn({ ...placement, workerId, err }, 'session not claimed');
    }
  }

  /** Null for an invalid message, or one from a replaced connection. */
  #receive(link: WorkerLink, text: string): WorkerMessage | null {
    // Expelled or replaced: ignore what is still in flight.
    if (!this.#workers.isCurrent(link)) return null;
    const message = this.#parse(link, text);
    if (message) this.#receiver.receive(link, message);
    return message;
  }

  #parse(link: WorkerLink, text: string): WorkerMessage | null {
    try {
      return parseWorkerMessage(text);
    } catch (error) {
      this.#logRefused(error);
      this.#expel(link, 'bad_message');
      return null;
    }
  }

  /** Removes the worker without waiting for its socket to close. */
  #expel(link: WorkerLink, name: CloseName): void {
    link.close(name);
    this.#workers.disconnected(link, name);
  }

  #logRefused(error: unknown): void {
    if (!(error instanceof ProtocolError)) throw error;
    this.#options.log.warn({ err: error }, 'invalid worker message');
  }

  #close(socket: WebSocket, name: CloseName): void {
    closeSocket(socket, name, this.#options.clock);
  }
}

const factsOf = ({ abilities = [], pool = DEFAULT_POOL, ...register }: Register): WorkerFacts => {
  const { workerId, kind, slots, transports, avatars, version, host } = register;
  const facts = { workerId, kind, slots, transports, avatars, abilities, pool, version };
  return { ...facts, ...(host !== undefined && { host }) };
};

/** With the default `binaryType`, each message is one Buffer. */
const textOf = (data: RawData): string => (data as Buffer).toString('utf8');
