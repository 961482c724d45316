import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { isSpeechFormat, SPEECH_FORMATS, type SpeechFormat } from '#protocol/audio.ts';
import type { WorkerTimelineEvent } from '#protocol/timeline.ts';
import type { OpenSegments } from '#protocol/worker/worker-messages.ts';
import { MOST_RATES, Segments } from './speech/segments.ts';
import { Playback } from './sync/playback.ts';
import { SpeechProgress } from './sync/speech-progress.ts';
import type { Transport } from './transport/transport.ts';

type AgentSpeechParts = {
  clock: Clock;
  log: Log;
  transport: Pick<Transport, 'playbackStarted' | 'playbackFinished'>;
  /** A segment grew or ended. */
  onChange: () => void;
  onProgress: (open: OpenSegments) => void;
  record: (event: WorkerTimelineEvent) => void;
};

/**
 * The speech that a session's agent sends: queued as segments, and reported to the agent, the
 * gateway and the timeline as it is played. Owns its parts and their timers.
 */
export class AgentSpeech {
  readonly segments: Segments;
  readonly playback: Playback;
  readonly #clock: Clock;
  readonly #progress: SpeechProgress;
  readonly #record: (event: WorkerTimelineEvent) => void;
  #finishedAt = -Infinity;
  #problem: string | null = null;

  constructor({ clock, log, transport, onChange, onProgress, record }: AgentSpeechParts) {
    this.#clock = clock;
    this.#record = record;
    this.segments = new Segments(clock, log, onChange);
    this.#progress = new SpeechProgress(clock, {
      read: () => this.playback.positions,
      tell: onProgress,
    });
    this.playback = new Playback(clock, {
      playbackStarted: (segment) => {
        transport.playbackStarted();
        record({ kind: 'speech_started', segment });
      },
      playbackFinished: (event, segment) => {
        this.#finishedAt = clock.elapsed();
        transport.playbackFinished(event);
        this.#progress.changed();
        record({ kind: 'speech_finished', segment, ...event });
      },
    });
  }

  /** Whether a segment is queued, playing or still being received. */
  get hasOpen(): boolean {
    return this.openSegments > 0 || this.segments.first !== undefined;
  }

  /** Milliseconds since the end of the last segment; 0 while one is open. */
  get silentMs(): number {
    return this.hasOpen ? 0 : this.#clock.elapsed() - this.#finishedAt;
  }

  /** Number of segments that are not reported to the agent as finished. */
  get openSegments(): number {
    return this.playback.positions.length;
  }

  begin(stream: string, format: SpeechFormat): void {
    this.segments.begin(stream, format, (segment, isPlayable) => {
      this.playback.open(segment);
      this.#progress.changed();
      this.#record({ kind: 'speech_received', segment });
      if (!isPlayable) this.#refuse(segment, format);
    });
  }

  /** Why speech of the agent was not played, for the session's owner; null: none was refused. */
  get problem(): string | null {
    return this.#problem;
  }

  #refuse(segment: number, { sampleRate, channels }: SpeechFormat): void {
    const { minRate, maxRate, maxChannels } = SPEECH_FORMATS;
    const detail = isSpeechFormat({ sampleRate, channels })
      ? `The speech has ${sampleRate} Hz after ${MOST_RATES} other sample rates. Send at most ${MOST_RATES} of them in a session.`
      : `The speech has ${sampleRate} Hz and ${channels} channels, which cannot be played. Send ${minRate} to ${maxRate} Hz and up to ${maxChannels} channels.`;
    this.#problem = detail;
    this.#record({ kind: 'speech_refused', segment, detail });
  }

  /** Reports the current positions, exact to the millisecond. */
  reportProgress(): void {
    this.#progress.changed();
  }

  /** Interrupts speech of which nothing is in the audio source yet. */
  clear(): void {
    this.segments.clear();
    this.playback.cut();
  }

  close(): void {
    this.segments.clear();
    this.#progress.close();
    this.playback.close();
  }
}
