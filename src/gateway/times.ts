import { BEAT_EVERY_MS } from '#protocol/worker/beats.ts';

export type GatewayTimes = {
  pingEveryMs: number;
  /** For avatar workers with sessions. */
  beatEveryMs: number;
  answerMs: number;
  registerMs: number;
  /** Shortest time to reconnect, for a worker that answers pings at once. */
  soonestReturnMs: number;
  /** Longest time to reconnect. It delays recovery from a dead worker. */
  returnMs: number;
};

export const usualTimes: GatewayTimes = {
  pingEveryMs: 3_000,
  beatEveryMs: BEAT_EVERY_MS,
  answerMs: 2_000,
  registerMs: 5_000,
  soonestReturnMs: 200,
  returnMs: 400,
};
