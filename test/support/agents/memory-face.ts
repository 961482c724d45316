import type { Face, SpeechStream } from '../../../workers/agent/speech/face.ts';

export type SentSegment = { seconds: number; isEnded: boolean };

/** An in-memory face; the test decides what it reports. */
export class MemoryFace implements Face {
  readonly segments: SentSegment[] = [];
  clears = 0;
  /** Text waiting to be shown. */
  readonly awaited: { anew: boolean; show: () => void }[] = [];
  isShown = true;
  answersClear: () => Promise<void> = async () => {};

  shown(anew: boolean): Promise<void> {
    if (this.isShown && !anew) return Promise.resolve();
    return new Promise((show) => this.awaited.push({ anew, show }));
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

  get last(): SentSegment | undefined {
    return this.segments.at(-1);
  }
}
