import { RoomEvent, type RemoteParticipant, type Room } from '@livekit/rtc-node';
import { nextState, type ConnectionState } from './connection-state.ts';

type ReconnectsParts = {
  room: Pick<Room, 'on'>;
  isAgent: (identity: string) => boolean;
  /** Data sent to this worker is lost until `onBack`. */
  onAway: () => void;
  onBack: () => void;
};

/**
 * Detects full reconnects. If a connection cannot be resumed, the SDK joins again, and to the media
 * server this is another participant. The SDK emits the same events for both, but only on a full
 * reconnect all participants leave and return.
 */
export function watchReconnects({ room, isAgent, onAway, onBack }: ReconnectsParts): void {
  let state: ConnectionState = 'connected';
  room.on(RoomEvent.Reconnecting, () => {
    state = nextState(state, 'reconnecting');
  });
  room.on(RoomEvent.ParticipantDisconnected, ({ identity }: RemoteParticipant) => {
    if (!isAgent(identity)) return;
    const previousState = state;
    state = nextState(state, 'agent_left');
    if (state !== previousState) onAway();
  });
  room.on(RoomEvent.Reconnected, () => {
    const hasRejoined = state === 'rejoining';
    state = nextState(state, 'reconnected');
    if (hasRejoined) onBack();
  });
}
