import type { RoomSignal } from '#protocol/room-signals.ts';

type Meaning = { means: 'end' } | { means: 'emotion'; emotion: string };

/**
 * The meaning of an agent's data packet by the first signal that matches. Null: no signal matches.
 */
export function meaningOf(
  signals: readonly RoomSignal[],
  topic: string,
  bytes: Uint8Array,
): Meaning | null {
  const topicSignals = signals.filter((signal) => signal.topic === null || signal.topic === topic);
  if (topicSignals.length === 0) return null;

  const text = new TextDecoder().decode(bytes);
  const json = parseJson(text);
  for (const { means, how } of topicSignals) {
    const value = how.format === 'text' ? afterPrefix(text, how.prefix) : valueIn(json, how);
    if (value === null) continue;
    if (means === 'end') return { means };
    if (value) return { means, emotion: value };
  }
  return null;
}

const afterPrefix = (text: string, prefix: string): string | null =>
  text.startsWith(prefix) ? text.slice(prefix.length) : null;

/** Null: the packet does not match. Empty: it matches but contains no value. */
function valueIn(
  json: unknown,
  { match, value }: Extract<RoomSignal['how'], { format: 'json' }>,
): string | null {
  if (!Object.entries(match).every(([path, wanted]) => at(json, path) === wanted)) return null;
  const named = value === undefined ? undefined : at(json, value);
  return typeof named === 'string' ? named : '';
}

function at(json: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inside, name) =>
        typeof inside === 'object' && inside !== null && Object.hasOwn(inside, name)
          ? (inside as Record<string, unknown>)[name]
          : undefined,
      json,
    );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
