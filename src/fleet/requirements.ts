import type { Transport, WorkerKind } from '#protocol/worker/worker-messages.ts';

export type Requirements = {
  /** An `agent` holds the conversation; `avatarId` and `bundleHash` are then ignored. */
  kind: WorkerKind;
  transport: Transport;
  avatarId: string;
  /** Any worker that opens bundles can show it. Null: only workers that list the avatar. */
  bundleHash: string | null;
  /** The speech comes from elsewhere than the room's agent (`speech` of an assignment). */
  hasSpeechSource: boolean;
  /** A frame of another kind than the plain one (`video` of an assignment). */
  needsFrames: boolean;
  /** Only workers of this pool may perform the session. */
  pool: string;
};
