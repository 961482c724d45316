import type { ConnectedWorker, Placement } from '../../src/fleet/fleet.ts';

export type Answer = Awaited<ReturnType<ConnectedWorker['assign']>>;

/** A connection that a test answers for. */
export class FakeConnection implements ConnectedWorker {
  readonly facts: ConnectedWorker['facts'];
  answer: Answer = 'accepted';
  readonly said: string[] = [];

  constructor(workerId: string, slots: number) {
    const transports = ['mediaserver' as const];
    this.facts = { workerId, kind: 'avatar', slots, transports, avatars: ['nora'], version: '1' };
  }

  async assign({ sessionId, epoch }: Placement): Promise<Answer> {
    this.said.push(`assign ${sessionId} ${epoch}`);
    return this.answer;
  }

  end({ sessionId }: Placement, reason: string): void {
    this.said.push(`end ${sessionId} ${reason}`);
  }

  drain(): void {
    this.said.push('drain');
  }
}
