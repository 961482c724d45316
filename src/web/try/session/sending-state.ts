/*
 * Pure state machine of the utterance that the agent's seat sends.
 *
 * preparing  nothing was sent yet            -> sending when its stream is open; dropped on a stop
 * sending    the avatar has some of it       -> stopping on a stop
 * dropped    stopped before its stream       -> stopping if the stream was just being opened
 * stopping   the avatar reports what it played
 */
export type SendingState = 'preparing' | 'sending' | 'dropped' | 'stopping';

type SendingEvent = 'stream_opened' | 'stopped';

export function nextState(state: SendingState, event: SendingEvent): SendingState {
  switch (event) {
    case 'stream_opened':
      return isStopped(state) ? 'stopping' : 'sending';
    case 'stopped':
      return hasStream(state) ? 'stopping' : 'dropped';
  }
}

/** The avatar knows of the utterance, and reports on it. */
export const hasStream = (state: SendingState): boolean =>
  state === 'sending' || state === 'stopping';

export const isStopped = (state: SendingState): boolean =>
  state === 'dropped' || state === 'stopping';
