/*
 * Pure state machine: which quality a worker can afford, by the share of frames that it missed in
 * each second. Its rungs are the qualities; 0 is full.
 *
 * steady   some frames are missed: stay
 * pressed  many are missed         -> one rung down if that lasts
 * calm     next to none is missed  -> one rung up if that lasts longer
 *
 * Only a climb shows whether there is time for more work. When one fails, the next one waits for
 * twice as long, so that the picture does not change back and forth.
 */
export type Ladder = {
  rung: number;
  trend: Trend;
  /** The calm that the next climb needs. */
  climbAfterMs: number;
  /** The last climb, while it may still fail. */
  climbedAt: number | null;
};

type Trend =
  | { type: 'steady' }
  /** `severeSince`: most frames are missed; null if not. */
  | { type: 'pressed'; since: number; severeSince: number | null }
  | { type: 'calm'; since: number };

/** Shares of missed frames. Above 0.05, the control plane already withholds new sessions. */
const PRESSED_ABOVE = 0.1;
const SEVERE_ABOVE = 0.4;
const CALM_BELOW = 0.05;

const DOWN_AFTER_MS = 3_000;
/** Queued sound bridges half a second; with so little time it soon runs out. */
const SEVERE_DOWN_AFTER_MS = 1_000;

const CLIMB_AFTER_MS = 10_000;
const LONGEST_CLIMB_AFTER_MS = 160_000;
/** After this long, a climb has succeeded. */
const FAILS_WITHIN_MS = 10_000;

export const TOP: Ladder = {
  rung: 0,
  trend: { type: 'steady' },
  climbAfterMs: CLIMB_AFTER_MS,
  climbedAt: null,
};

/**
 * `missed`: share of the frames that were due since the last call and were missed, 0..1. `now`:
 * monotonic, in milliseconds. `lowest`: the last rung.
 */
export function advanceLadder(
  ladder: Ladder,
  { missed, now, lowest }: { missed: number; now: number; lowest: number },
): Ladder {
  const trend = trendOf(ladder.trend, missed, now);
  const nextLadder = { ...withoutOldClimb(ladder, now), trend };
  switch (trend.type) {
    case 'steady':
      return nextLadder;
    case 'pressed':
      return isOver(trend, now) && nextLadder.rung < lowest
        ? descended(nextLadder, trend, now)
        : nextLadder;
    case 'calm':
      return now - trend.since >= nextLadder.climbAfterMs && nextLadder.rung > 0
        ? climbed(nextLadder, now)
        : nextLadder;
  }
}

function trendOf(previousTrend: Trend, missed: number, now: number): Trend {
  if (missed < CALM_BELOW)
    return previousTrend.type === 'calm' ? previousTrend : { type: 'calm', since: now };
  if (missed <= PRESSED_ABOVE) return { type: 'steady' };
  const pressed =
    previousTrend.type === 'pressed' ? previousTrend : { since: now, severeSince: null };
  const severeSince = missed > SEVERE_ABOVE ? (pressed.severeSince ?? now) : null;
  return { type: 'pressed', since: pressed.since, severeSince };
}

function withoutOldClimb(ladder: Ladder, now: number): Ladder {
  const { climbedAt } = ladder;
  if (climbedAt === null || now - climbedAt < FAILS_WITHIN_MS) return ladder;
  return { ...ladder, climbedAt: null, climbAfterMs: CLIMB_AFTER_MS };
}

const isOver = (
  { since, severeSince }: Extract<Trend, { type: 'pressed' }>,
  now: number,
): boolean =>
  now - since >= DOWN_AFTER_MS ||
  (severeSince !== null && now - severeSince >= SEVERE_DOWN_AFTER_MS);

function descended(
  ladder: Ladder,
  { severeSince }: Extract<Trend, { type: 'pressed' }>,
  now: number,
): Ladder {
  const { rung, climbedAt, climbAfterMs } = ladder;
  return {
    rung: rung + 1,
    trend: { type: 'pressed', since: now, severeSince: severeSince && now },
    climbAfterMs:
      climbedAt === null ? climbAfterMs : Math.min(2 * climbAfterMs, LONGEST_CLIMB_AFTER_MS),
    climbedAt: null,
  };
}

const climbed = (ladder: Ladder, now: number): Ladder => ({
  ...ladder,
  rung: ladder.rung - 1,
  trend: { type: 'calm', since: now },
  climbedAt: now,
});
