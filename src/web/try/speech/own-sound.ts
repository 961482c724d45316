import { AUDIO_RATE } from '#protocol/audio.ts';

/* The person's own audio as a track: a microphone, or a file that is not played locally. */

export type OwnSound = {
  track: MediaStreamTrack;
  /** Starts a file, once the avatar listens. */
  begin(): void;
  /** Resolves at the end of a file; rejects when the microphone is lost. */
  over: Promise<void>;
  close(): void;
};

export type SoundFile = { name: string; samples: AudioBuffer };

export type ProblemName =
  | 'denied'
  | 'no_microphone'
  | 'in_use'
  | 'not_secure'
  | 'lost'
  | 'not_sound'
  | 'too_long'
  | 'not_heard'
  | 'failed';

/** A problem that the person can solve. */
export class SoundProblem extends Error {
  override readonly name = 'SoundProblem';
  readonly problem: ProblemName;

  constructor(problem: ProblemName, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

/** Files are decoded into memory: 12 MB per minute. */
export const LONGEST_FILE_MINUTES = 5;
/** Time for the end of a file to pass the buffers and the avatar's delay. */
const TAIL_MS = 600;

export async function openMicrophone(): Promise<OwnSound> {
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices };
  if (!mediaDevices) throw new SoundProblem('not_secure');
  // Without echo cancellation the avatar would repeat itself from the speakers.
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  const stream = await mediaDevices.getUserMedia({ audio }).catch((cause: unknown) => {
    throw new SoundProblem(refusals[cause instanceof Error ? cause.name : ''] ?? 'failed', {
      cause,
    });
  });
  const [track] = stream.getAudioTracks();
  if (!track) throw new SoundProblem('no_microphone');
  const lost = Promise.withResolvers<void>();
  track.addEventListener('ended', () => lost.reject(new SoundProblem('lost')), { once: true });
  return { track, begin: () => {}, over: lost.promise, close: () => track.stop() };
}

const refusals: Record<string, ProblemName> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'no_microphone',
  OverconstrainedError: 'no_microphone',
  NotReadableError: 'in_use',
};

export async function readSoundFile(file: File): Promise<SoundFile> {
  // Checked before decoding: a small file may hold hours of speech and fill the memory.
  const seconds = await durationOf(file);
  if (seconds > LONGEST_FILE_MINUTES * 60) throw new SoundProblem('too_long');
  const decoder = new OfflineAudioContext({ length: 1, sampleRate: AUDIO_RATE });
  const samples = await decoder
    .decodeAudioData(await file.arrayBuffer())
    .catch((cause: unknown) => {
      throw new SoundProblem('not_sound', { cause });
    });
  if (samples.duration > LONGEST_FILE_MINUTES * 60) throw new SoundProblem('too_long');
  return { name: file.name, samples };
}

function durationOf(file: File): Promise<number> {
  const address = URL.createObjectURL(file);
  const player = new Audio();
  const duration = new Promise<number>((resolve, reject) => {
    player.addEventListener('loadedmetadata', () => resolve(player.duration), { once: true });
    player.addEventListener('error', () => reject(new SoundProblem('not_sound')), { once: true });
    player.preload = 'metadata';
    player.src = address;
  });
  // Files without a duration are checked after decoding.
  return duration
    .then((seconds) => (Number.isFinite(seconds) ? seconds : 0))
    .finally(() => URL.revokeObjectURL(address));
}

export async function openFile({ samples }: SoundFile): Promise<OwnSound> {
  const context = new AudioContext({ sampleRate: AUDIO_RATE });
  await context.resume();
  const heard = context.createMediaStreamDestination();
  const player = context.createBufferSource();
  player.buffer = samples;
  player.connect(heard);
  const over = Promise.withResolvers<void>();
  player.addEventListener('ended', () => setTimeout(over.resolve, TAIL_MS), { once: true });
  const [track] = heard.stream.getAudioTracks();
  return {
    track: track!,
    begin: () => player.start(),
    over: over.promise,
    close: () => void context.close(),
  };
}
