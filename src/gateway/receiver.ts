import type { Log } from '#shared/log.ts';
import type { GatewayMessage } from '#protocol/worker/gateway-messages.ts';
import type { BuildFailed, Built } from '#protocol/worker/build-messages.ts';
import type { Placement } from '#protocol/placement.ts';
import { isAnswer } from '#protocol/worker/questions.ts';
import type { WorkerMessage } from '#protocol/worker/worker-messages.ts';
import type { SessionMessage, Verdict } from '#protocol/worker/worker-report.ts';
import type { Builds } from '../avatars/builds.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { WorkerReports } from '../sessions/reports/worker-reports.ts';
import type { WorkerLink } from './worker-link.ts';

type ReceiverParts = {
  fleet: Fleet;
  reports: Pick<WorkerReports, 'handle' | 'workerLeaves'>;
  builds: Pick<Builds, 'progressed' | 'refused' | 'settled'>;
  log: Log;
  /** The worker broke the protocol. */
  onViolation: (link: WorkerLink) => void;
};

/** Dispatches the messages of registered workers. */
export class Receiver {
  readonly #parts: ReceiverParts;

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
  }

  receive(link: WorkerLink, message: WorkerMessage): void {
    const { reports, builds, fleet, onViolation } = this.#parts;
    if (isAnswer(message)) return link.receiveAnswer(message);
    switch (message.type) {
      case 'register':
        return onViolation(link);
      case 'load':
        fleet.report(link.facts.workerId, message);
        if (message.drainLeftMs === 0) reports.workerLeaves(link.facts.workerId);
        return;
      case 'accepted':
        link.answered(message.placement, 'accepted');
        return;
      case 'refused':
        if (!link.answered(message.placement, 'refused')) this.#giveUp(link, message.placement);
        return;
      case 'started':
      case 'ended':
      case 'renewed':
      case 'speech':
      case 'noted':
      case 'released':
        return this.#report(link, message);
      case 'build_progress':
        return builds.progressed(link, message.placement, message.progress);
      case 'build_refused':
        return builds.refused(link, message.placement, message.wasBegun);
      case 'built': {
        const { placement, bundle, portrait } = message;
        const result = { bundleHash: bundle, portraitHash: portrait };
        return this.#reportBuild(link, message, builds.settled(link, placement, result));
      }
      case 'build_failed': {
        const { placement, reason } = message;
        return this.#reportBuild(link, message, builds.settled(link, placement, { reason }));
      }
      case 'beat':
        for (const placement of message.stalled ?? []) {
          this.#giveUp(link, placement);
          link.send({ type: 'drop', placement });
        }
        return;
      case 'abilities':
        return this.#changeAbilities(link, message.abilities);
      case 'pong':
        return link.receivePong();
    }
  }

  #changeAbilities(link: WorkerLink, abilities: string[]): void {
    const { log, fleet } = this.#parts;
    const { workerId } = link;
    link.changeAbilities(abilities);
    log.info({ workerId, abilities }, 'worker changed its abilities');
    fleet
      .changed(link)
      .catch((err: unknown) => log.error({ workerId, err }, 'worker not published'));
  }

  #report(link: WorkerLink, message: SessionMessage): void {
    const { log, reports } = this.#parts;
    const { placement, ...report } = message;
    const { workerId } = link;
    const handled = reports.handle({ ...placement, workerId }, report);
    const fields = { ...placement, workerId, report: message.type };
    if ('id' in message) {
      this.#acknowledge(link, message.id, { fields, handled, drop: { type: 'drop', placement } });
    } else {
      // Not acknowledged, so the worker does not repeat it.
      handled.catch((err: unknown) => log.warn({ ...fields, err }, 'report not recorded'));
    }
  }

  #reportBuild(
    link: WorkerLink,
    { id, placement, type }: Built | BuildFailed,
    handled: Promise<Verdict>,
  ): void {
    const fields = { ...placement, workerId: link.facts.workerId, report: type };
    this.#acknowledge(link, id, { fields, handled, drop: { type: 'drop_build', placement } });
  }

  /** The worker accepted the session and cannot show its face, or stopped showing it. */
  #giveUp({ facts: { workerId } }: WorkerLink, placement: Placement): void {
    const { log, fleet, reports } = this.#parts;
    log.warn({ ...placement, workerId }, 'worker gave a session up');
    // Before the report: otherwise the session could be placed on this worker again.
    fleet.coolDown(workerId);
    reports
      .handle(placement, { type: 'gave_up', workerId })
      .catch((err: unknown) =>
        log.warn({ ...placement, workerId, err }, 'given up session not placed again'),
      );
  }

  /** Without an acknowledgement the worker repeats the report. */
  #acknowledge(
    link: WorkerLink,
    id: string,
    { fields, handled, drop }: { fields: object; handled: Promise<Verdict>; drop: GatewayMessage },
  ): void {
    const { log } = this.#parts;
    const answer = (verdict: Verdict) => {
      link.send({ type: 'ack', id });
      if (verdict === 'recorded') return;
      // Usual: the end of a call reaches its workers while they report that they have left.
      log.info(fields, 'stale report');
      link.send(drop);
    };
    handled
      .then(answer)
      .catch((err: unknown) => log.error({ ...fields, err }, 'report not recorded'));
  }
}
