import type { VoiceName } from '#protocol/voice/flite.ts';

/** Messages from the page to the voice's Web Worker. */
export type VoiceRequest =
  | { type: 'load'; url: string }
  | { type: 'speak'; id: number; sentence: string; voice: VoiceName };

/** Messages from the Web Worker. `total` is 0 when the size is unknown. */
export type VoiceReply =
  | { type: 'loading'; loaded: number; total: number }
  | { type: 'loaded' }
  | { type: 'spoken'; id: number; samples: Int16Array<ArrayBuffer> }
  | { type: 'failed'; id: number | null; message: string };
