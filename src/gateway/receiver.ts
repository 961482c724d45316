import type { Log } from '#shared/log.ts';
import type {
  BuildFailed,
  Built,
  Ended,
  Placement,
  Started,
  WorkerMessage,
} from '#protocol/worker-messages.ts';
import type { Builds } from '../avatars/builds.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Verdict } from '../sessions/live-session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { WorkerLink } from './worker-link.ts';

export type ReceiverParts = {
  fleet: Fleet;
  sessions: Pick<
    Sessions,
    'started' | 'ended' | 'spoke' | 'noted' | 'renewed' | 'released' | 'gaveUp' | 'workerLeaves'
  >;
  builds: Pick<Builds, 'progressed' | 'refused' | 'settled'>;
  log: Log;
  /** It says what may not be said. */
  onMisbehaved: (link: WorkerLink) => void;
};

/** What a registered worker says, told to whom it concerns. */
export class Receiver {
  readonly #parts: ReceiverParts;

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
  }

  receive(link: WorkerLink, message: WorkerMessage): void {
    const { sessions, builds, fleet, onMisbehaved } = this.#parts;
    switch (message.type) {
      case 'register':
        return onMisbehaved(link);
      case 'load':
        fleet.report(link.facts.workerId, message);
        if (message.drainLeftMs === 0) sessions.workerLeaves(link.facts.workerId);
        return;
      case 'accepted':
        link.answered(message.placement, 'accepted');
        return;
      case 'refused':
        if (!link.answered(message.placement, 'refused')) this.#giveUp(link, message.placement);
        return;
      case 'started':
        return this.#record(link, message, () =>
          sessions.started(message.placement, message.agoMs),
        );
      case 'ended':
        return this.#record(link, message, () =>
          sessions.ended(message.placement, message.agoMs, message.reason),
        );
      case 'renewed':
        return this.#renew(message.placement, message.token);
      case 'speech':
        return sessions.spoke(message.placement, message.open);
      case 'released':
        return sessions.released(message.placement);
      case 'noted':
        return sessions.noted(message.placement, message.happenings);
      case 'build_progress':
        return builds.progressed(link, message.placement, message.progress);
      case 'build_refused':
        return builds.refused(link, message.placement, message.wasBegun);
      case 'built': {
        const { placement, bundle, portrait } = message;
        const result = { bundleHash: bundle, portraitHash: portrait };
        return this.#recordBuild(link, message, () => builds.settled(link, placement, result));
      }
      case 'build_failed': {
        const { placement, reason } = message;
        return this.#recordBuild(link, message, () => builds.settled(link, placement, { reason }));
      }
      case 'beat':
        for (const placement of message.stalled ?? []) {
          this.#giveUp(link, placement);
          link.drop(placement);
        }
        return;
      case 'pong':
    }
  }

  /** The worker accepted the session and cannot show its face, or stopped showing it. */
  #giveUp({ facts: { workerId } }: WorkerLink, placement: Placement): void {
    const { log, fleet, sessions } = this.#parts;
    log.warn({ ...placement, workerId }, 'worker gave a session up');
    // Resting comes first: the session must not come back to it at once.
    fleet.rest(workerId);
    sessions.gaveUp(placement, workerId);
  }

  /** Not acknowledged: the media server gives another one before this one ends. */
  #renew(placement: Placement, token: string): void {
    const { log, sessions } = this.#parts;
    sessions
      .renewed(placement, token)
      .catch((error: unknown) =>
        log.error({ ...placement, err: error }, 'renewed token not recorded'),
      );
  }

  #record(
    link: WorkerLink,
    { id, placement, type }: Started | Ended,
    tell: () => Promise<Verdict>,
  ): void {
    const fields = { ...placement, workerId: link.facts.workerId, report: type };
    this.#acknowledge(link, id, fields, tell, () => link.drop(placement));
  }

  #recordBuild(
    link: WorkerLink,
    { id, placement, type }: Built | BuildFailed,
    tell: () => Promise<Verdict>,
  ): void {
    const fields = { ...placement, workerId: link.facts.workerId, report: type };
    this.#acknowledge(link, id, fields, tell, () => link.dropBuild(placement));
  }

  /** Acknowledged only when it is recorded or refused for good; else the worker sends it again. */
  #acknowledge(
    link: WorkerLink,
    id: string,
    fields: object,
    tell: () => Promise<Verdict>,
    drop: () => void,
  ): void {
    const { log } = this.#parts;
    const answer = (verdict: Verdict) => {
      link.send({ type: 'ack', id });
      if (verdict === 'recorded') return;
      log.warn(fields, 'report of an old placement refused');
      drop();
    };
    tell()
      .then(answer)
      .catch((error: unknown) => log.error({ ...fields, err: error }, 'report not recorded'));
  }
}
