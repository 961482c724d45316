import { describe } from 'vitest';
import { LocalFleet } from '../../src/fleet/local-fleet.ts';
import { quietLog } from '../support/control-plane.ts';
import { TestClock } from '../support/test-clock.ts';
import { fleetContract } from './fleet.contract.ts';

describe('local fleet', () =>
  fleetContract(async () => {
    const clock = new TestClock();
    return { clock, fleet: new LocalFleet({ clock, log: quietLog }) };
  }));
