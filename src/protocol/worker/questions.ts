/* Questions to a worker, each beside its answer. */
import Type, { type Static } from 'typebox';
import { BlobHash } from './build-messages.ts';
import { Placement, placementKey } from '../placement.ts';
import { DRAWS_SHEETS, Sheet } from '../pictures/sheets.ts';
import { STILL_SIDE, STILL_TEXT, TAKES_STILLS } from '../pictures/stills.ts';

const TakeStill = Type.Object(
  { type: Type.Literal('take_still'), placement: Placement },
  {
    description: `Somebody looks at the session from outside: send a small picture of what it shows now, as \`still\`. Only for workers with the ability \`${TAKES_STILLS}\`.`,
  },
);

const Still = Type.Object(
  {
    type: Type.Literal('still'),
    placement: Placement,
    jpeg: Type.Optional(
      Type.String({
        ...STILL_TEXT,
        description: `In base64, its longer side about ${STILL_SIDE} pixels. Absent: nothing is shown.`,
      }),
    ),
  },
  { description: 'Answers `take_still`. Never sent without it.' },
);

const DrawSheet = Type.Object(
  {
    type: Type.Literal('draw_sheet'),
    avatarId: Type.String(),
    bundle: Type.Optional({
      ...BlobHash,
      description: 'Blob to fetch and open. Absent: the worker has the avatar already.',
    }),
  },
  {
    description: `Draw the mouth shapes, eyes and expressions of the avatar as one picture, and send it as \`sheet\`; sessions have priority. Only for workers with the ability \`${DRAWS_SHEETS}\`.`,
  },
);
export type DrawSheet = Static<typeof DrawSheet>;

const DrawnSheet = Type.Object(
  {
    type: Type.Literal('sheet'),
    avatarId: Type.String(),
    sheet: Type.Optional({ ...Sheet, description: 'Absent: the avatar cannot be opened.' }),
  },
  { description: 'Answers `draw_sheet`. Never sent without it.' },
);

export const QUESTIONS = [TakeStill, DrawSheet] as const;
export type Question = Static<(typeof QUESTIONS)[number]>;

export const ANSWERS = [Still, DrawnSheet] as const;
export type Answer = Static<(typeof ANSWERS)[number]>;

const answerTypes: ReadonlySet<string> = new Set(
  ANSWERS.map(({ properties }) => properties.type.const),
);

export const isAnswer = (message: { type: string }): message is Answer =>
  answerTypes.has(message.type);

/** The content of an answer; null if the worker has none. */
type Results = { take_still: string; draw_sheet: Sheet };
export type ResultOf<OneQuestion extends Question> = Results[OneQuestion['type']] | null;
export type Result = ResultOf<Question>;

/** Equal for a question and its answer. */
export function questionKey(message: Question | Answer): string {
  switch (message.type) {
    case 'take_still':
    case 'still':
      return `still ${placementKey(message.placement)}`;
    case 'draw_sheet':
    case 'sheet':
      return `sheet ${message.avatarId}`;
  }
}

export function resultOf(answer: Answer): Result {
  switch (answer.type) {
    case 'still':
      return answer.jpeg ?? null;
    case 'sheet':
      return answer.sheet ?? null;
  }
}
