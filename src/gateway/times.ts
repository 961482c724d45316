import { BEAT_EVERY_MS } from '#protocol/beats.ts';

export type GatewayTimes = {
  pingEveryMs: number;
  /** For avatar workers with sessions. */
  beatEveryMs: number;
  answerMs: number;
  registerMs: number;
  /** Grace for a broken connection. Allows several reconnects; delays recovery from a dead worker by as much. */
  returnMs: number;
};

export const usualTimes: GatewayTimes = {
  pingEveryMs: 3_000,
  beatEveryMs: BEAT_EVERY_MS,
  answerMs: 2_000,
  registerMs: 5_000,
  returnMs: 400,
};
