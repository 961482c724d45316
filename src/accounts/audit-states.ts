/* The parts of a resource's public fields that the audit log keeps of a change. */
import { hash } from 'node:crypto';
import type { State } from '../records/audit/audit-log.ts';

/** A longer text is cut, so that repeated changes of a long prompt do not fill the disk. */
const MAX_TEXT = 1_000;

type States = { before: State | null; after: State | null };

/** An update keeps only the fields that differ. */
export function statesOf(oldState: State | null, newState: State | null): States {
  if (!oldState || !newState)
    return { before: oldState && cut(oldState), after: newState && cut(newState) };
  const names = Object.keys({ ...oldState, ...newState }).filter(
    (name) => JSON.stringify(oldState[name]) !== JSON.stringify(newState[name]),
  );
  return { before: cut(pick(oldState, names)), after: cut(pick(newState, names)) };
}

const pick = (state: State, names: string[]): State =>
  Object.fromEntries(names.map((name) => [name, state[name] ?? null]));

const cut = (state: State): State => cutTexts(state) as State;

function cutTexts(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value);
  if (Array.isArray(value)) return value.map(cutTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutTexts(each)]));
}

/** The hash still tells which text it was. */
function cutText(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const start = text.slice(0, MAX_TEXT).toWellFormed();
  return `${start}… (${text.length} characters, SHA-256 ${hash('sha256', text)})`;
}
