import { TIMELINE } from '#protocol/timeline.ts';
import { END_REASON_TEXTS } from '../../end-reason-texts.ts';
import { code, meanings, table } from './tables.ts';

export const endReasonTable = (): string =>
  table(
    ['Reason', 'Meaning', 'What to do'],
    Object.entries(END_REASON_TEXTS).map(([reason, [meaning, advice]]) => [
      code(reason),
      meaning,
      advice,
    ]),
  );

export const timelineKinds = (): string =>
  meanings(
    ['Kind', 'Meaning'],
    Object.fromEntries(Object.entries(TIMELINE).map(([kind, { meaning }]) => [kind, meaning])),
  );
