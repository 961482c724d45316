import type { Fleet, Job, Lease, Requirements } from '../../../src/fleet/fleet.ts';

/** Requirements used by the fleet's tests. */
export const requirements: Requirements = {
  kind: 'avatar',
  transport: 'mediaserver',
  avatarId: 'mira',
  bundleHash: null,
  hasSpeechSource: false,
  needsFrames: false,
  pool: 'default',
};

export const job: Job = {
  transport: 'mediaserver',
  room: { url: 'wss://rooms.example', token: 'a token' },
  avatarId: 'mira',
  video: { width: 512, height: 512, fps: 25 },
};

/** Reserves a slot without waiting. */
export const reserve = (fleet: Fleet, sessionId: string, epoch = 1): Promise<Lease | null> =>
  fleet.reserve({ sessionId, epoch }, requirements, { account: 'account-1', waitMs: 0 });
