import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Assignment, Lease } from '../../../src/fleet/fleet.ts';
import { advancePlacement } from '../../../src/sessions/placement/advance-placement.ts';
import {
  leaseOf,
  type PlacementEffect,
  type PlacementEvent,
  type PlacementState,
} from '../../../src/sessions/placement/placement-state.ts';

const times = { searchMs: 2_000, retryMs: 500 };

const lease = (epoch: number): Lease => ({
  sessionId: 'session',
  epoch,
  workerId: `worker-${epoch}`,
});
const firstLease = lease(1);

type Move =
  | 'grant'
  | 'refuse'
  | 'fail_reserve'
  | 'not_owned'
  | 'owned'
  | 'saved'
  | 'save_failed'
  | 'superseded'
  | Assignment
  | 'claim'
  | 'lost'
  | 'worker_leaving'
  | 'released'
  | 'shown'
  | 'timer'
  | 'closed'
  | 'ended';

const move = fc.constantFrom<Move[]>(
  ...(['grant', 'grant', 'refuse', 'fail_reserve', 'not_owned', 'owned', 'owned'] as const),
  ...([
    'saved',
    'saved',
    'save_failed',
    'superseded',
    'accepted',
    'declined',
    'gone',
    'claim',
  ] as const),
  ...(['lost', 'lost', 'worker_leaving', 'worker_leaving', 'released', 'shown', 'timer'] as const),
);
const finalMove = fc.constantFrom<Move[]>('closed', 'ended');

/** The collaborators of the state machine: one request at a time, answers in any order. */
class World {
  state: PlacementState = {
    type: 'placed',
    epoch: 1,
    former: null,
    lease: firstLease,
    search: null,
  };
  at = 0;
  readonly assigned = new Set<number>();
  #request: number | null = null;
  #confirms = false;
  #timer = false;
  #saving: Lease[] = [firstLease];
  #assigning: Lease[] = [];
  /** Leases that the session may use, as the fleet counts them. */
  readonly granted = new Set<Lease>([firstLease]);

  play(move: Move): void {
    this.at += 100;
    const event = this.#eventOf(move);
    if (event) this.#advance(event);
  }

  #eventOf(move: Move): PlacementEvent | null {
    switch (move) {
      case 'grant':
      case 'refuse':
      case 'fail_reserve':
        return this.#answerRequest(move);
      case 'not_owned':
      case 'owned':
        if (!this.#confirms) return null;
        this.#confirms = false;
        return { type: move };
      case 'saved':
      case 'save_failed':
      case 'superseded': {
        const saved = this.#saving.shift();
        return saved ? { type: move, lease: saved } : null;
      }
      case 'accepted':
      case 'declined':
      case 'gone': {
        const pendingLease = this.#assigning.shift();
        return pendingLease ? { type: 'answered', lease: pendingLease, answer: move } : null;
      }
      case 'claim': {
        const claimedLease = lease(this.state.epoch);
        this.granted.add(claimedLease);
        return { type: 'claimed', lease: claimedLease };
      }
      case 'released':
        return { type: 'released', epoch: this.state.epoch };
      case 'timer':
        if (!this.#timer) return null;
        this.#timer = false;
        return { type: 'timer' };
      case 'lost':
      case 'worker_leaving':
      case 'shown':
      case 'closed':
      case 'ended':
        return { type: move };
    }
  }

  #answerRequest(move: 'grant' | 'refuse' | 'fail_reserve'): PlacementEvent | null {
    const epoch = this.#request;
    if (epoch === null) return null;
    this.#request = null;
    if (move === 'fail_reserve') return { type: 'reserve_failed' };
    if (move === 'refuse') return { type: 'reserved', lease: null };
    const granted = lease(epoch);
    const heldEpochs = [...this.granted].map((heldLease) => heldLease.epoch);
    expect(heldEpochs, 'a second lease of an epoch').not.toContain(epoch);
    this.granted.add(granted);
    return { type: 'reserved', lease: granted };
  }

  #advance(event: PlacementEvent): void {
    const stateBefore = this.state;
    const step = advancePlacement(stateBefore, event, { ...times, at: this.at });
    this.state = step.state;
    expect(this.state.epoch).toBeGreaterThanOrEqual(stateBefore.epoch);
    if (stateBefore.type === 'closed') expect(this.state.type).toBe('closed');
    for (const effect of step.effects) this.#perform(effect);
    this.#check();
  }

  #perform(effect: PlacementEffect): void {
    switch (effect.type) {
      case 'reserve':
        expect(this.#request, 'a second request for an epoch').toBeNull();
        expect(effect.epoch).toBe(this.state.epoch + 1);
        this.#request = effect.epoch;
        break;
      case 'cancel_reserve':
        this.#request = null;
        break;
      case 'confirm_owner':
        this.#confirms = true;
        break;
      case 'start_timer':
        this.#timer = true;
        break;
      case 'stop_timer':
        this.#timer = false;
        break;
      case 'save':
        this.#saving.push(effect.lease);
        break;
      case 'assign':
        expect(this.assigned, 'a second assignment of an epoch').not.toContain(effect.lease.epoch);
        expect(leaseOf(this.state)).toBe(effect.lease);
        this.assigned.add(effect.lease.epoch);
        this.#assigning.push(effect.lease);
        break;
      case 'free':
        this.granted.delete(effect.lease);
        break;
      case 'hold':
      case 'release':
      case 'drop':
      case 'record_wait':
      case 'report_unplaceable':
      case 'report_superseded':
    }
  }

  /** Requests and timers belong to their state; none outlives a close. */
  #check(): void {
    const { type } = this.state;
    expect(this.#request !== null).toBe(type === 'searching' || type === 'reserving');
    expect(this.#timer).toBe(type === 'pausing' || type === 'releasing');
    const current = leaseOf(this.state);
    if (current && type !== 'closed') expect(current.epoch).toBe(this.state.epoch);
    if (current) expect(this.granted).toContain(current);
    if ('to' in this.state) {
      expect(this.state.to.epoch).toBe(this.state.epoch + 1);
      expect(this.granted).toContain(this.state.to);
    }
  }
}

describe('any placement', () => {
  test('each epoch has one lease, epochs only rise, and closed is final', () => {
    fc.assert(
      fc.property(
        fc.array(move, { maxLength: 60 }),
        fc.option(finalMove),
        fc.array(move, { maxLength: 10 }),
        (moves, final, laterMoves) => {
          const world = new World();
          for (const step of moves) world.play(step);
          if (final) world.play(final);
          for (const step of laterMoves) world.play(step);
        },
      ),
      { numRuns: 500 },
    );
  });
});
