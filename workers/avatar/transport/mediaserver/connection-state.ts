/*
 * Pure state machine of a connection to the media server. `reconnects.ts` feeds it the room's
 * events.
 *
 * connected  -> resuming when the SDK reconnects
 * resuming   -> rejoining when the agent leaves; connected when the connection is back
 * rejoining  the worker joined again as a new participant     -> connected when it is back
 */
export type ConnectionState = 'connected' | 'resuming' | 'rejoining';

type ConnectionEvent = 'reconnecting' | 'agent_left' | 'reconnected';

export function nextState(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event) {
    case 'reconnecting':
      return state === 'connected' ? 'resuming' : state;
    case 'agent_left':
      return state === 'resuming' ? 'rejoining' : state;
    case 'reconnected':
      return 'connected';
  }
}
