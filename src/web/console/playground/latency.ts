/* How long answers take, from the end of the visitor's line. Times are in milliseconds. */

/** Null: it has not come. */
type Turn = { soundMs: number | null; lineMs: number | null };

export type Latency = {
  turns: Turn[];
  /** When the visitor's last line ended. */
  askedAt: number;
  isSounding: boolean;
  /** False while the answer before is still heard. */
  isSoundNew: boolean;
};

export type LatencyEvent =
  | { type: 'asked'; at: number }
  | { type: 'sound'; at: number }
  | { type: 'silence' }
  /** The first piece of a line of the agent. */
  | { type: 'line'; at: number };

export const noLatency: Latency = { turns: [], askedAt: 0, isSounding: false, isSoundNew: false };

export function advance(latency: Latency, event: LatencyEvent): Latency {
  const { turns, askedAt, isSounding, isSoundNew } = latency;
  const last = turns.at(-1);
  const answered = (change: Partial<Turn>): Turn[] => [
    ...turns.slice(0, -1),
    ...(last ? [{ ...last, ...change }] : []),
  ];
  switch (event.type) {
    case 'asked': {
      // Speech recognition may cut a question into several lines.
      const isOpen = last?.soundMs === null && last.lineMs === null;
      const earlier = isOpen ? turns.slice(0, -1) : turns;
      return {
        turns: [...earlier, { soundMs: null, lineMs: null }],
        askedAt: event.at,
        isSounding,
        isSoundNew: !isSounding,
      };
    }
    case 'sound': {
      const isFirst = isSoundNew && last?.soundMs === null;
      return {
        ...latency,
        isSounding: true,
        turns: isFirst ? answered({ soundMs: event.at - askedAt }) : turns,
      };
    }
    case 'silence':
      return { ...latency, isSounding: false, isSoundNew: true };
    case 'line':
      return last?.lineMs === null
        ? { ...latency, turns: answered({ lineMs: event.at - askedAt }) }
        : latency;
  }
}

/** Over the turns that have the figure. */
export function figuresOf(
  turns: readonly Turn[],
  figure: keyof Turn,
): { last: number; median: number; count: number } | null {
  const values = turns.flatMap((turn) => turn[figure] ?? []);
  const last = values.at(-1);
  if (last === undefined) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
  return { last, median, count: values.length };
}
