import { BEAT_EVERY_MS, MISSED_BEATS } from '#protocol/worker/beats.ts';
import type { Heard } from '../tap.ts';

/** The next ping follows after that long. */
const PONG_MS = 3_000;
/**
 * The gateway counts at its own moments: it takes the worker for lost between this and one beat
 * less.
 */
const LONGEST_BEAT_MS = BEAT_EVERY_MS * (MISSED_BEATS + 1);
/** "Every few seconds." */
const LOAD_MS = 12_000;

type Times = { from: Heard['from']; type: string; atMs: number; performing?: number };

/** The log of one connection, up to `endMs`. */
export function judgeHeartbeat(messages: readonly Heard[], endMs: number): string[] {
  const times = messages.flatMap(({ from, message, atMs }): Times[] =>
    message
      ? [{ from, type: message.type, atMs, ...('performing' in message && countOf(message)) }]
      : [],
  );
  return [...judgePongs(times, endMs), ...judgeBeats(times, endMs), ...judgeLoad(times, endMs)];
}

function judgePongs(times: readonly Times[], endMs: number): string[] {
  const late = times.filter(({ type, atMs }) => {
    if (type !== 'ping' || atMs > endMs - PONG_MS) return false;
    return !times.some((reply) => reply.type === 'pong' && within(reply.atMs, atMs, PONG_MS));
  });
  return late.length > 0 ? [`${late.length} pings without a pong in time`] : [];
}

/** Beats from each assignment on, until one says that no session is left. */
function judgeBeats(times: readonly Times[], endMs: number): string[] {
  let sinceMs: number | null = null;
  let longestMs = 0;
  for (const { type, atMs, performing = 0 } of times) {
    if (type === 'accepted') sinceMs ??= atMs;
    if (type !== 'beat') continue;
    if (sinceMs !== null) longestMs = Math.max(longestMs, atMs - sinceMs);
    sinceMs = performing > 0 ? atMs : null;
  }
  if (sinceMs !== null) longestMs = Math.max(longestMs, endMs - sinceMs);
  return longestMs > LONGEST_BEAT_MS ? [`no beat for ${Math.round(longestMs)} ms`] : [];
}

function judgeLoad(times: readonly Times[], endMs: number): string[] {
  const registered = times.find(({ type }) => type === 'registered');
  if (!registered) return [];
  const marks = [
    registered.atMs,
    ...times.filter(({ type }) => type === 'load').map(({ atMs }) => atMs),
    endMs,
  ];
  const longestMs = Math.max(...marks.slice(1).map((atMs, i) => atMs - marks[i]!));
  return longestMs > LOAD_MS ? [`no load for ${Math.round(longestMs / 1000)} s`] : [];
}

const within = (atMs: number, fromMs: number, ms: number) => atMs >= fromMs && atMs <= fromMs + ms;

const countOf = ({ performing }: { performing: unknown }) =>
  typeof performing === 'number' ? { performing } : {};
