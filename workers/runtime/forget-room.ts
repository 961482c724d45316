import type { Room } from '@livekit/rtc-node';

/**
 * What rtc-node 0.13.35 leaves behind of a room, in a process that lives through thousands of them. A room that the server has ended stays
 * subscribed to the SDK's events for ever (`disconnect` returns early then), and every session would pay for it. And the engine's part, some
 * 25 threads and 20 MB, is let go only when JavaScript's collector finds the handles.
 */
export function forgetRoom(room: Room): void {
  const inner = room as unknown as { onFfiEvent: (event: unknown) => void; ffiHandle?: Handle };
  // oxlint-disable-next-line no-underscore-dangle -- the SDK's own name for it
  const sdk = (globalThis as { _ffiClientInstance?: NodeJS.EventEmitter })._ffiClientInstance;
  sdk?.off('ffi_event', inner.onFfiEvent);

  const { localParticipant, remoteParticipants } = room;
  const participants = [
    ...(localParticipant ? [localParticipant] : []),
    ...remoteParticipants.values(),
  ];
  for (const participant of participants) {
    for (const publication of participant.trackPublications.values())
      publication.ffiHandle.dispose();
    participant.ffi_handle.dispose();
  }
  inner.ffiHandle?.dispose();
}

type Handle = { dispose(): void };
