import type { Sheet } from '#protocol/sheets.ts';
import type {
  AvatarFile,
  ConnectedWorker,
  Placement,
  WorkerKind,
} from '../../../src/fleet/fleet.ts';

export type Answer = Awaited<ReturnType<ConnectedWorker['assign']>>;

/** A worker connection whose answers a test gives. */
export class FakeConnection implements ConnectedWorker {
  readonly facts: ConnectedWorker['facts'];
  answer: Answer = 'accepted';
  readonly said: string[] = [];

  constructor(workerId: string, slots: number, pool = 'default', kind: WorkerKind = 'avatar') {
    this.facts = {
      workerId,
      kind,
      slots,
      transports: ['mediaserver'],
      avatars: kind === 'avatar' ? ['nora'] : [],
      abilities: kind === 'avatar' ? ['sheets'] : [],
      pool,
      version: '1',
    };
  }

  async assign({ sessionId, epoch }: Placement): Promise<Answer> {
    this.said.push(`assign ${sessionId} ${epoch}`);
    return this.answer;
  }

  end({ sessionId }: Placement, reason: string): void {
    this.said.push(`end ${sessionId} ${reason}`);
  }

  release({ sessionId, epoch }: Placement): void {
    this.said.push(`release ${sessionId} ${epoch}`);
  }

  async still({ sessionId, epoch }: Placement): Promise<string> {
    return Buffer.from(`still of ${sessionId} ${epoch}`).toString('base64');
  }

  async sheet({ avatarId }: AvatarFile): Promise<Sheet> {
    return { tiles: [avatarId, this.facts.workerId], columns: 2, tileSide: 1, jpeg: 'AAAA' };
  }

  drop({ sessionId, epoch }: Placement): void {
    this.said.push(`drop ${sessionId} ${epoch}`);
  }

  drain(): void {
    this.said.push('drain');
  }
}
