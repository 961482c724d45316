import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Builds } from '../avatars/builds.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { WorkerReports } from '../sessions/reports/worker-reports.ts';
import type { GatewayTimes } from './times.ts';
import type { WorkerLink } from './worker-link.ts';
import {
  advanceWorker,
  type DisconnectReason,
  type WorkerEffect,
  type WorkerEvent,
  type WorkerState,
} from './worker-state.ts';

type Effect<Type> = Extract<WorkerEffect<WorkerLink>, { type: Type }>;

/** A worker needs them to notice the loss, connect with TLS, upgrade and register. */
const ROUND_TRIPS = 5;

type WorkerConnectionsParts = Pick<GatewayTimes, 'soonestReturnMs' | 'returnMs'> & {
  fleet: Fleet;
  reports: Pick<WorkerReports, 'workerLost'>;
  builds: Pick<Builds, 'workerAway' | 'workerLost'>;
  clock: Clock;
  log: Log;
};

/**
 * The workers of this gateway, each with its newest connection. Removes a disconnected worker from
 * the fleet, and reports it as lost unless it comes back in time. Owns the timers, not the links.
 */
export class WorkerConnections {
  readonly #parts: WorkerConnectionsParts;
  /** Without absent workers. */
  readonly #states = new Map<string, WorkerState<WorkerLink>>();
  readonly #timers = new Map<string, () => void>();
  #isClosed = false;

  constructor(parts: WorkerConnectionsParts) {
    this.#parts = parts;
  }

  /** False for a connection that was closed, expelled or replaced. */
  isCurrent(link: WorkerLink): boolean {
    const state = this.#stateOf(link.workerId);
    return state.type === 'connected' && state.link === link;
  }

  /** The worker's newest connection, which may have broken a moment ago. */
  newest(workerId: string): WorkerLink | null {
    const state = this.#stateOf(workerId);
    return state.type === 'absent' ? null : state.link;
  }

  registered(link: WorkerLink): void {
    this.#dispatch(link.workerId, { type: 'registered', link });
  }

  /** The socket is closed or closing. Only the first call for a link counts. */
  disconnected(link: WorkerLink, why: DisconnectReason): void {
    link.markClosed();
    const isClosing = this.#isClosed;
    this.#dispatch(link.workerId, { type: 'disconnected', link, why, isClosing });
  }

  /** No worker counts as lost from now on. */
  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #stateOf(workerId: string): WorkerState<WorkerLink> {
    return this.#states.get(workerId) ?? { type: 'absent' };
  }

  #dispatch(workerId: string, event: WorkerEvent<WorkerLink>): void {
    const { state, effects } = advanceWorker(this.#stateOf(workerId), event);
    if (state.type === 'absent') this.#states.delete(workerId);
    else this.#states.set(workerId, state);
    for (const effect of effects) this.#perform(workerId, effect);
  }

  #perform(workerId: string, effect: WorkerEffect<WorkerLink>): void {
    switch (effect.type) {
      case 'replace':
        return effect.link.close('replaced');
      case 'leave_fleet':
        return this.#leaveFleet(effect.link, effect.why);
      case 'start_timer':
        return this.#startTimer(workerId, effect.link);
      case 'stop_timer':
        return this.#stopTimer(workerId);
      case 'find_elsewhere':
        return void this.#findElsewhere(effect);
      case 'report_lost':
        this.#parts.reports.workerLost(workerId, effect.wasSilent);
        return this.#parts.builds.workerLost(workerId);
    }
  }

  #leaveFleet(link: WorkerLink, why: DisconnectReason): void {
    const { fleet, builds, log } = this.#parts;
    builds.workerAway(link);
    fleet.leave(link).catch((error: unknown) => log.error({ err: error }, 'worker not removed'));
    if (!this.#isClosed) log.info({ workerId: link.workerId, why }, 'worker gone');
  }

  #startTimer(workerId: string, link: WorkerLink): void {
    const cancel = this.#parts.clock.after(this.#returnMs(link), () => {
      this.#timers.delete(workerId);
      this.#dispatch(workerId, { type: 'timer' });
    });
    this.#timers.set(workerId, cancel);
  }

  /** A lost worker delays its sessions; a slow one must not lose them for a short break. */
  #returnMs({ roundTripMs }: WorkerLink): number {
    const { soonestReturnMs, returnMs } = this.#parts;
    if (roundTripMs === null) return returnMs;
    return Math.min(returnMs, soonestReturnMs + ROUND_TRIPS * roundTripMs);
  }

  #stopTimer(workerId: string): void {
    this.#timers.get(workerId)?.();
    this.#timers.delete(workerId);
  }

  async #findElsewhere({ link, wasSilent }: Effect<'find_elsewhere'>): Promise<void> {
    const { workerId } = link;
    const isElsewhere = await this.#isConnected(workerId);
    if (this.#isClosed) return;
    if (isElsewhere) this.#dispatch(workerId, { type: 'found_elsewhere', link });
    else this.#dispatch(workerId, { type: 'not_found', link, wasSilent });
  }

  /** Workers often reconnect to another control plane. False when the fleet cannot answer. */
  async #isConnected(workerId: string): Promise<boolean> {
    const { fleet, log } = this.#parts;
    try {
      return await fleet.isConnected(workerId);
    } catch (err) {
      log.warn({ workerId, err }, 'worker connection state unknown');
      return false;
    }
  }
}
