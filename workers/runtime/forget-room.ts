import type { Room } from '@livekit/rtc-node';
import { release, type Handle } from './dropped-handles.ts';

/**
 * Frees resources that rtc-node 0.13.35 leaks per room. A room ended by the server stays subscribed
 * to the SDK's events (`disconnect` returns early), which slows down all later sessions. Its native
 * part, about 25 threads and 20 MB, otherwise lives until garbage collection finds the handles.
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
      release(publication.ffiHandle);
    release(participant.ffi_handle);
  }
  if (inner.ffiHandle) release(inner.ffiHandle);
}
