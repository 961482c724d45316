import type { CallState } from '../state/call-state.ts';

/** Status of a call, on its stage. Empty when there is none. */
export function statusText({ phase }: Pick<CallState, 'phase'>): string {
  switch (phase.type) {
    case 'connecting':
      if (phase.isReturn) return 'Returning to your call';
      return { asking: 'Calling', joining: 'Connecting', coming: `${phase.agent.name} is joining` }[
        phase.step
      ];
    case 'waiting':
      return 'Waiting for a free line';
    case 'live':
      return {
        here: 'Live',
        away: `${phase.agent.name} is reconnecting`,
        rejoining: 'Connection lost. Reconnecting…',
      }[phase.presence];
    case 'looking':
    case 'lobby':
    case 'over':
    case 'refused':
      return '';
  }
}
