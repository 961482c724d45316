import { RoomEvent, type RemoteParticipant, type Room } from '@livekit/rtc-node';

export type ReconnectsParts = {
  room: Pick<Room, 'on'>;
  isAgent: (identity: string) => boolean;
  /** What is sent to us from now on goes to nobody. */
  onAway: () => void;
  onBack: () => void;
};

/**
 * A connection that cannot be resumed is made anew, and the media server takes us for somebody else. The SDK tells both in the same words; only
 * then everybody leaves in between, and comes back.
 */
export function watchReconnects({ room, isAgent, onAway, onBack }: ReconnectsParts): void {
  let isReconnecting = false;
  let isAway = false;
  room.on(RoomEvent.Reconnecting, () => {
    isReconnecting = true;
  });
  room.on(RoomEvent.ParticipantDisconnected, ({ identity }: RemoteParticipant) => {
    if (!isReconnecting || isAway || !isAgent(identity)) return;
    isAway = true;
    onAway();
  });
  room.on(RoomEvent.Reconnected, () => {
    const wasAway = isAway;
    isReconnecting = false;
    isAway = false;
    if (wasAway) onBack();
  });
}
