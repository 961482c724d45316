import type { Call } from '../../../clients/typescript/src/generated/models.ts';
import { Badge } from '../parts/badge.tsx';
import { texts } from '../texts/texts.ts';

const t = texts.conversations;

/** The visitor's rating of the call; nothing without one. */
export function RatingBadge({ call: { rating } }: { call: Call }) {
  return rating && <Badge tone={rating}>{t.ratings[rating]}</Badge>;
}
