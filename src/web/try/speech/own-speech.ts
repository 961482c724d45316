/*
 * States of speech by microphone or audio file. Stopping leads to silent from every state.
 *
 * silent    no audio                                     -> opening
 * opening   waits for the microphone or file             -> awaiting, refused
 * awaiting  track published; the avatar must subscribe   -> speaking, refused
 * speaking  the avatar speaks the audio                  -> silent, refused
 * refused   shows the problem                            -> opening
 */
import { aborted } from '../../call/connection/pause.ts';
import { type OwnSound, type ProblemName, SoundProblem } from './own-sound.ts';

export type SoundSource = 'microphone' | 'file';

export type OwnSpeech =
  | { type: 'silent' }
  | { type: 'opening' | 'awaiting' | 'speaking'; source: SoundSource }
  | { type: 'refused'; source: SoundSource; problem: ProblemName };

/** Publishes a track as the agent. Resolves to an unpublish function when the avatar listens. */
export type Publish = (track: MediaStreamTrack, signal: AbortSignal) => Promise<() => void>;

type Parts = {
  source: SoundSource;
  open: () => Promise<OwnSound>;
  publish: Publish;
  onOpened: (track: MediaStreamTrack) => void;
  onChange: (speech: OwnSpeech) => void;
  signal: AbortSignal;
};

/** Runs until the audio ends or `signal` aborts. Reports no state after an abort. */
export async function speakOwn({
  source,
  open,
  publish,
  onOpened,
  onChange,
  signal,
}: Parts): Promise<void> {
  let sound: OwnSound | null = null;
  let unpublish: (() => void) | null = null;
  const report = (speech: OwnSpeech) => !signal.aborted && onChange(speech);
  try {
    report({ type: 'opening', source });
    sound = await open();
    // Prevents an unhandled rejection when the sound is lost after a stop.
    sound.over.catch(() => {});
    if (signal.aborted) return;
    onOpened(sound.track);
    report({ type: 'awaiting', source });
    unpublish = await publish(sound.track, signal);
    if (signal.aborted) return;
    sound.begin();
    report({ type: 'speaking', source });
    await Promise.race([sound.over, aborted(signal)]);
    report({ type: 'silent' });
  } catch (error) {
    if (!signal.aborted) console.warn('own audio not spoken', error);
    const problem = error instanceof SoundProblem ? error.problem : 'failed';
    report({ type: 'refused', source, problem });
  } finally {
    unpublish?.();
    sound?.close();
  }
}
