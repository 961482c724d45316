/*
 * Pure state machine: why a connected worker is offered no session for a while.
 *
 * none      receives offers
 * declined  declined a session
 * silent    it did not answer an assignment and may be dead: longer, unless it reports earlier
 */
export type Cooldown = 'none' | 'declined' | 'silent';

export type CooldownEvent = 'declined' | 'unanswered' | 'reported' | 'elapsed';

/** `timer`: length of the timer to start instead of the running one, in cooldown times. */
type CooldownStep = { cooldown: Cooldown; timer: number | null };

const SILENT_TIMES = 10;

const declined: CooldownStep = { cooldown: 'declined', timer: 1 };

export function advanceCooldown(cooldown: Cooldown, event: CooldownEvent): CooldownStep {
  switch (event) {
    case 'declined':
      return declined;
    case 'unanswered':
      return { cooldown: 'silent', timer: SILENT_TIMES };
    case 'reported':
      return cooldown === 'silent' ? declined : { cooldown, timer: null };
    case 'elapsed':
      return { cooldown: 'none', timer: null };
  }
}
