import { DRAWS_SHEETS } from '#protocol/pictures/sheets.ts';
import { STILL_EVERY_MS, TAKES_STILLS } from '#protocol/pictures/stills.ts';
import type { Question } from '#protocol/worker/questions.ts';

type QuestionRules = {
  /** Only workers that have it are asked. */
  ability: string;
  /** Time for the answer. */
  answerMs: number;
  /** How long one answer serves all who ask; the worker is not asked again in this time. */
  keptMs: number;
};

export const QUESTION_RULES: Record<Question['type'], QuestionRules> = {
  take_still: { ability: TAKES_STILLS, answerMs: 2_000, keptMs: STILL_EVERY_MS },
  // Time to fetch the bundle and draw. An avatar never changes, but few look at one for longer.
  draw_sheet: { ability: DRAWS_SHEETS, answerMs: 10_000, keptMs: 60_000 },
};
