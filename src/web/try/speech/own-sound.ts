import { AUDIO_RATE } from '#protocol/audio.ts';
import { deviceProblemOf } from '../../call/devices/device-problems.ts';
import type { DeviceProblem } from '../../call/state/call-state.ts';

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

export type ProblemName = DeviceProblem | 'lost' | 'not_sound' | 'too_long' | 'not_heard';

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
    throw new SoundProblem(deviceProblemOf(cause), { cause });
  });
  const [track] = stream.getAudioTracks();
  if (!track) throw new SoundProblem('missing');
  const loss = Promise.withResolvers<void>();
  track.addEventListener('ended', () => loss.reject(new SoundProblem('lost')), { once: true });
  return { track, begin: () => {}, over: loss.promise, close: () => track.stop() };
}

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
  const output = context.createMediaStreamDestination();
  const player = context.createBufferSource();
  player.buffer = samples;
  player.connect(output);
  const end = Promise.withResolvers<void>();
  player.addEventListener('ended', () => setTimeout(end.resolve, TAIL_MS), { once: true });
  const [track] = output.stream.getAudioTracks();
  return {
    track: track!,
    begin: () => player.start(),
    over: end.promise,
    close: () => void context.close(),
  };
}
