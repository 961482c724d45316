/*
 * Pure state machine of reading a participant's track. `VoiceTrack` performs the effects.
 *
 * idle     nothing is read                             -> reading when the track is not muted
 * reading  the track is read                           -> fading when it is muted; idle
 * fading   muted; audio from before the mute is read   -> reading when unmuted; idle
 */
export type ReadingState = 'idle' | 'reading' | 'fading';

export type ReadingEvent =
  | 'unmuted'
  | 'muted'
  /** The track was not readable. */
  | 'failed'
  /** The grace after a mute is over, or the track is no longer used. */
  | 'stopped';

export type ReadingEffect = 'open' | 'start_grace' | 'cancel_grace' | 'close';

type ReadingStep = { state: ReadingState; effects: ReadingEffect[] };

export function advance(state: ReadingState, event: ReadingEvent): ReadingStep {
  switch (event) {
    case 'unmuted':
      if (state === 'idle') return { state: 'reading', effects: ['open'] };
      return { state: 'reading', effects: state === 'fading' ? ['cancel_grace'] : [] };
    case 'muted':
      if (state !== 'reading') return { state, effects: [] };
      return { state: 'fading', effects: ['start_grace'] };
    case 'failed':
      return { state: 'idle', effects: [] };
    case 'stopped':
      if (state === 'idle') return { state, effects: [] };
      return { state: 'idle', effects: state === 'fading' ? ['cancel_grace', 'close'] : ['close'] };
  }
}
