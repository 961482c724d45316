import type { CallState } from '../state/call-state.ts';
import type { CallWords } from '../words/call-words.ts';

/** Status of a call, on its stage. Empty when there is none. */
export function statusText({ status }: CallWords, { phase }: Pick<CallState, 'phase'>): string {
  switch (phase.type) {
    case 'connecting': {
      if (phase.isReturn) return status.returning;
      return phase.step === 'coming' ? status.coming(phase.agent.name) : status[phase.step];
    }
    case 'waiting':
      return status.waiting;
    case 'live': {
      const { presence, agent } = phase;
      if (presence === 'here') return status.live;
      return presence === 'away' ? status.away(agent.name) : status.rejoining;
    }
    case 'looking':
    case 'lobby':
    case 'over':
    case 'refused':
      return '';
  }
}
