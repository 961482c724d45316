import type {
  AvatarParticipant,
  SpeechStream,
} from '../../../workers/agent/speech/avatar-participant.ts';

/** The hearing of a room whose agent reads text only. */
export const deafRoom = { hears: false, hear: () => {} };

export type SentSegment = { seconds: number; isEnded: boolean };

/** An in-memory avatar that accepts speech. Tests send its playback reports. */
export class MemoryAvatar implements AvatarParticipant {
  readonly segments: SentSegment[] = [];
  clears = 0;
  /** Pending `whenVisible` calls. */
  readonly awaited: { isReplacement: boolean; show: () => void }[] = [];
  isVisible = true;
  answersClear: () => Promise<void> = async () => {};

  whenVisible(isReplacement: boolean): Promise<void> {
    if (this.isVisible && !isReplacement) return Promise.resolve();
    return new Promise((show) => this.awaited.push({ isReplacement, show }));
  }

  async openStream(sampleRate: number): Promise<SpeechStream> {
    const segment: SentSegment = { seconds: 0, isEnded: false };
    this.segments.push(segment);
    return {
      write: async (bytes) => void (segment.seconds += bytes.length / 2 / sampleRate),
      close: async () => void (segment.isEnded = true),
    };
  }

  clear(): Promise<void> {
    this.clears += 1;
    return this.answersClear();
  }

  get lastSegment(): SentSegment | undefined {
    return this.segments.at(-1);
  }
}
