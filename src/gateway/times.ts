import { BEAT_EVERY_MS } from '#protocol/beats.ts';

export type GatewayTimes = {
  pingEveryMs: number;
  /** For avatar workers with sessions. */
  beatEveryMs: number;
  answerMs: number;
  registerMs: number;
  /** Time to reconnect after a broken connection. It delays recovery from a dead worker. */
  returnMs: number;
};

export const usualTimes: GatewayTimes = {
  pingEveryMs: 3_000,
  beatEveryMs: BEAT_EVERY_MS,
  answerMs: 2_000,
  registerMs: 5_000,
  returnMs: 400,
};
