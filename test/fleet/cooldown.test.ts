import { describe, expect, test } from 'vitest';
import { advanceCooldown, type Cooldown, type CooldownEvent } from '../../src/fleet/cooldown.ts';

const short = { cooldown: 'declined', timer: 1 };
const long = { cooldown: 'silent', timer: 10 };

describe('the cooldown of a worker', () => {
  test.each<[string, Cooldown, CooldownEvent, object]>([
    ['begins when it declines a session', 'none', 'declined', short],
    ['begins anew when it declines another one', 'declined', 'declined', short],
    ['is longer when it does not answer', 'none', 'unanswered', long],
    ['becomes longer when it does not answer', 'declined', 'unanswered', long],
    ['becomes shorter when a silent worker reports', 'silent', 'reported', short],
    ['becomes shorter when a silent worker declines', 'silent', 'declined', short],
    ['is not extended by a report', 'declined', 'reported', { cooldown: 'declined', timer: null }],
    ['is not begun by a report', 'none', 'reported', { cooldown: 'none', timer: null }],
    ['ends in time', 'silent', 'elapsed', { cooldown: 'none', timer: null }],
  ])('%s', (_what, state, event, step) => {
    expect(advanceCooldown(state, event)).toEqual(step);
  });
});
