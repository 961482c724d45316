/*
 * Pure state machine of a conversation. `conversation.ts` owns the room, the dialogue and the
 * timers. `over` is final: the last lines are still being saved, but the agent is silent.
 */
export type ConversationState = 'opening' | 'talking' | 'released' | 'over';

type ConversationEvent =
  /** The agent is in its room. */
  | 'joined'
  /** The agent leaves its room to join it again. */
  | 'left'
  /** Another worker takes over. */
  | 'released'
  /** The end was requested, the room was lost, or opening failed. */
  | 'ended';

export function nextState(state: ConversationState, event: ConversationEvent): ConversationState {
  switch (event) {
    case 'joined':
      return state === 'opening' ? 'talking' : state;
    case 'left':
      return state === 'talking' ? 'opening' : state;
    case 'released':
      return state === 'talking' ? 'released' : state;
    case 'ended':
      return 'over';
  }
}
