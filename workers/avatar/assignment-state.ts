/* Pure state machine of an assigned session. `Assignment` performs the effects. */

/*
 * opening     joining the room, opening the performer  -> publishing when both are done
 * publishing  drawing frames, publishing the tracks    -> showing
 * showing     the avatar is in the room                -> released when another worker takes over
 * released    frames and silence until the successor joins
 * over        from any state; `ended` is settled and everything is closing
 */
export type AssignmentState<Output> =
  | { type: 'opening' | 'over' }
  | { type: 'publishing' | 'showing' | 'released'; output: Output };

export type AssignmentEvent<Output> =
  /** The first frame is drawn; the others follow. */
  | { type: 'output_started'; output: Output }
  | { type: 'published' }
  /** A release has waited for the end of the speech, or long enough. */
  | { type: 'silenced' }
  | { type: 'closed' };

export type AssignmentEffect<Output> =
  | { type: 'report_started' }
  /** Leaves the speech that has not been played to the successor. */
  | { type: 'hold_speech'; output: Output };

type AssignmentStep<Output> = {
  state: AssignmentState<Output>;
  effects: AssignmentEffect<Output>[];
};

export function advanceAssignment<Output>(
  state: AssignmentState<Output>,
  event: AssignmentEvent<Output>,
): AssignmentStep<Output> {
  switch (event.type) {
    case 'output_started':
      if (state.type !== 'opening') return stay(state);
      return { state: { type: 'publishing', output: event.output }, effects: [] };
    case 'published':
      if (state.type !== 'publishing') return stay(state);
      return { state: { ...state, type: 'showing' }, effects: [{ type: 'report_started' }] };
    case 'silenced': {
      // Before it is in the room, there is nothing to hand over: the session must not join.
      if (state.type !== 'showing') return stay(state);
      const { output } = state;
      return { state: { type: 'released', output }, effects: [{ type: 'hold_speech', output }] };
    }
    case 'closed':
      return { state: { type: 'over' }, effects: [] };
  }
}

const stay = <Output>(state: AssignmentState<Output>): AssignmentStep<Output> => ({
  state,
  effects: [],
});
