import type { Order } from '#protocol/worker/gateway-messages.ts';
import { placementKey, type Placement } from '#protocol/placement.ts';
import type { Question, Result, ResultOf } from '#protocol/worker/questions.ts';
import type { ConnectedWorker, WorkerKind } from '../../../src/fleet/fleet.ts';

export type Answer = Awaited<ReturnType<ConnectedWorker['assign']>>;

/** A worker connection whose answers a test gives. */
export class FakeConnection implements ConnectedWorker {
  facts: ConnectedWorker['facts'];
  answer: Answer = 'accepted';
  readonly orders: string[] = [];

  constructor(workerId: string, slots: number, pool = 'default', kind: WorkerKind = 'avatar') {
    this.facts = {
      workerId,
      kind,
      slots,
      transports: ['mediaserver'],
      avatars: kind === 'avatar' ? ['mira'] : [],
      abilities: kind === 'avatar' ? ['sheets'] : [],
      pool,
      version: '1',
    };
  }

  async assign({ sessionId, epoch }: Placement): Promise<Answer> {
    this.orders.push(`assign ${sessionId} ${epoch}`);
    return this.answer;
  }

  send(order: Order | { type: 'drain' }): void {
    this.orders.push(textOf(order));
  }

  async ask<Asked extends Question>(question: Asked): Promise<ResultOf<Asked>> {
    return this.#answer(question) as ResultOf<Asked>;
  }

  #answer(question: Question): Result {
    switch (question.type) {
      case 'take_still':
        return Buffer.from(`still of ${placementKey(question.placement)}`).toString('base64');
      case 'draw_sheet':
        return {
          tiles: [question.avatarId, this.facts.workerId],
          columns: 2,
          tileSide: 1,
          jpeg: 'AAAA',
        };
    }
  }
}

function textOf(order: Order | { type: 'drain' }): string {
  switch (order.type) {
    case 'end':
      return `end ${order.placement.sessionId} ${order.reason}`;
    case 'release':
    case 'drop':
    case 'change_picture':
      return `${order.type} ${placementKey(order.placement)}`;
    case 'set_log_level':
      return `${order.type} ${order.level}`;
    case 'drain':
      return order.type;
  }
}
