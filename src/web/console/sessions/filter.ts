import { END_REASONS } from '#protocol/end-reasons.ts';

export const STATUSES = ['all', 'ongoing', 'to_start', 'completed'] as const;

export type SessionFilter = {
  status: (typeof STATUSES)[number];
  /** Empty: any. */
  avatarId: string;
  reason: string;
  /** Beginning of an id. */
  idPrefix: string;
};

/** From the address of the page, so that a filtered list can be shared and survives a reload. */
export const readFilter = (query: URLSearchParams): SessionFilter => ({
  status: STATUSES.find((status) => status === query.get('status')) ?? 'all',
  avatarId: query.get('avatar_id') ?? '',
  reason: END_REASONS.find((reason) => reason === query.get('end_reason')) ?? '',
  idPrefix: query.get('q') ?? '',
});

/** The same names as in the API. */
export function queryOf({ status, avatarId, reason, idPrefix }: SessionFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (status !== 'all') query.set('status', status);
  if (avatarId) query.set('avatar_id', avatarId);
  if (reason) query.set('end_reason', reason);
  if (idPrefix.trim()) query.set('q', idPrefix.trim().toLowerCase());
  return query;
}
