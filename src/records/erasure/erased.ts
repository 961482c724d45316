/** Numbers of deleted rows, by what they were. Kinds without any are left out. */
export type Erased = Partial<Record<ErasedKind, number>>;

export const ERASED_KINDS = [
  'agents',
  'api_keys',
  'avatars',
  'calls',
  'events',
  'external_apis',
  'idempotent_replies',
  'knowledge_files',
  'messages',
  'sessions',
  'timelines',
  'webhooks',
] as const;
export type ErasedKind = (typeof ERASED_KINDS)[number];

export function addErased(counts: Erased, additions: Erased): Erased {
  const kinds = ERASED_KINDS.filter((kind) => (counts[kind] ?? 0) + (additions[kind] ?? 0) > 0);
  return Object.fromEntries(
    kinds.map((kind) => [kind, (counts[kind] ?? 0) + (additions[kind] ?? 0)]),
  );
}

export const totalOf = (erased: Erased): number =>
  Object.values(erased).reduce((total, count) => total + count, 0);
