/*
 * silent    nothing of the person's own is spoken                    -> opening
 * opening   the browser is asked for the sound                       -> awaiting, refused
 * awaiting  it is a track in the room; the avatar does not listen yet -> speaking, refused
 * speaking  the avatar says it                                       -> silent, refused
 * refused   says why                                                 -> opening
 * From everywhere to silent when it is stopped.
 */
import { type OwnSound, type ProblemName, SoundProblem } from './own-sound.ts';

export type SoundSource = 'microphone' | 'file';

export type OwnSpeech =
  | { type: 'silent' }
  | { type: 'opening' | 'awaiting' | 'speaking'; source: SoundSource }
  | { type: 'refused'; source: SoundSource; problem: ProblemName };

/** Publishes a track as the agent; resolves when the avatar listens, with what takes it back. */
export type Publish = (track: MediaStreamTrack, signal: AbortSignal) => Promise<() => void>;

type Parts = {
  source: SoundSource;
  open: () => Promise<OwnSound>;
  publish: Publish;
  onOpened: (track: MediaStreamTrack) => void;
  tell: (speech: OwnSpeech) => void;
  signal: AbortSignal;
};

/** From the click until it is over, or until `signal` stops it; then nothing more is told. */
export async function speakOwn({
  source,
  open,
  publish,
  onOpened,
  tell,
  signal,
}: Parts): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let sound: OwnSound | null = null;
  let takeBack: (() => void) | null = null;
  const say = (speech: OwnSpeech) => !signal.aborted && tell(speech);
  try {
    say({ type: 'opening', source });
    sound = await open();
    // Nobody may be waiting for it any more when it is lost.
    sound.over.catch(() => {});
    if (signal.aborted) return;
    onOpened(sound.track);
    say({ type: 'awaiting', source });
    takeBack = await publish(sound.track, signal);
    if (signal.aborted) return;
    sound.begin();
    say({ type: 'speaking', source });
    await Promise.race([sound.over, stopped]);
    say({ type: 'silent' });
  } catch (error) {
    if (!signal.aborted) console.warn('a sound of your own was not spoken', error);
    const problem = error instanceof SoundProblem ? error.problem : 'failed';
    say({ type: 'refused', source, problem });
  } finally {
    takeBack?.();
    sound?.close();
  }
}
