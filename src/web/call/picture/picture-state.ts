/*
 * Pure state machine of a video. `PictureWatch` owns the element and the timer.
 *
 * unseen  before the first picture, or frozen  -> seen on a picture
 * seen    pictures arrive                      -> unseen after STILL_MS without one
 * closed  final; reports nothing
 */
export type PictureState =
  | { type: 'unseen' }
  | { type: 'seen'; lastPictureAt: number }
  | { type: 'closed' };

export type PictureEvent =
  | { type: 'picture'; at: number }
  /** `isHidden`: browsers draw nothing for a hidden page. */
  | { type: 'checked'; at: number; isHidden: boolean }
  | { type: 'closed' };

type PictureStep = { state: PictureState; report: 'picture' | 'gone' | null };

/** Longest gap between pictures. Rooms show 25 a second, botrooms at least one. */
const STILL_MS = 1500;

export function advance(state: PictureState, event: PictureEvent): PictureStep {
  if (state.type === 'closed') return { state, report: null };

  switch (event.type) {
    case 'picture': {
      const seenState: PictureState = { type: 'seen', lastPictureAt: event.at };
      return { state: seenState, report: state.type === 'unseen' ? 'picture' : null };
    }
    case 'checked':
      if (state.type === 'unseen') return { state, report: null };
      if (event.isHidden) return { state: { ...state, lastPictureAt: event.at }, report: null };
      return event.at - state.lastPictureAt < STILL_MS
        ? { state, report: null }
        : { state: { type: 'unseen' }, report: 'gone' };
    case 'closed':
      return { state: { type: 'closed' }, report: null };
  }
}
