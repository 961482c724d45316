import type { VoiceName } from '#protocol/voice/flite.ts';

/** What the page asks of the voice's worker. */
export type VoiceRequest =
  | { type: 'load'; url: string }
  | { type: 'speak'; id: number; sentence: string; voice: VoiceName };

/** What the worker answers. `total` is 0 while the size is not known. */
export type VoiceReply =
  | { type: 'loading'; loaded: number; total: number }
  | { type: 'loaded' }
  | { type: 'spoken'; id: number; samples: Int16Array<ArrayBuffer> }
  | { type: 'failed'; id: number | null; message: string };
