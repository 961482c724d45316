/*
 * Pure state machine of one speech segment: the sound that the avatar gets in one stream and
 * reports as played once. `avatar-output.ts` owns the streams and timers.
 */
export type SegmentState =
  /** The avatar is not visible yet, so it knows nothing of the segment. */
  { type: 'waiting' } | { type: 'sent'; openedAt: number } | { type: 'over' };

type SegmentEvent = { type: 'opened'; at: number } | { type: 'finished' };

export function nextState(state: SegmentState, event: SegmentEvent): SegmentState {
  switch (event.type) {
    case 'opened':
      // The segment may have been interrupted while it waited for the avatar.
      return state.type === 'waiting' ? { type: 'sent', openedAt: event.at } : state;
    case 'finished':
      return { type: 'over' };
  }
}
