import { RoomEvent, type RemoteParticipant, type Room } from '@livekit/rtc-node';

type ReconnectsParts = {
  room: Pick<Room, 'on'>;
  isAgent: (identity: string) => boolean;
  /** Data sent to this worker is lost until `onBack`. */
  onAway: () => void;
  onBack: () => void;
};

/*
 * connected  -> resuming when the SDK reconnects
 * resuming   -> rejoining when the agent leaves; connected when the connection is back
 * rejoining  the worker joined again as a new participant     -> connected when it is back
 */
type State = 'connected' | 'resuming' | 'rejoining';

/**
 * Detects full reconnects. If a connection cannot be resumed, the SDK joins again, and to the media
 * server this is another participant. The SDK emits the same events for both, but only on a full
 * reconnect all participants leave and return.
 */
export function watchReconnects({ room, isAgent, onAway, onBack }: ReconnectsParts): void {
  let state: State = 'connected';
  room.on(RoomEvent.Reconnecting, () => {
    if (state === 'connected') state = 'resuming';
  });
  room.on(RoomEvent.ParticipantDisconnected, ({ identity }: RemoteParticipant) => {
    if (state !== 'resuming' || !isAgent(identity)) return;
    state = 'rejoining';
    onAway();
  });
  room.on(RoomEvent.Reconnected, () => {
    const hasRejoined = state === 'rejoining';
    state = 'connected';
    if (hasRejoined) onBack();
  });
}
