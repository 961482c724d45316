/* Messages of workers about the avatars that they build. */
import Type, { type Static } from 'typebox';
import { PICTURE_PROBLEMS, type PictureProblem } from '../pictures/picture-problems.ts';
import { reportFields } from './report-fields.ts';

export const BuildPlacement = Type.Object(
  { avatarId: Type.String(), epoch: Type.Integer({ minimum: 1 }) },
  { description: 'Identifies one attempt to build an avatar. Stale epochs are rejected.' },
);
export type BuildPlacement = Static<typeof BuildPlacement>;

export const BlobHash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of a blob, in hex.',
});

export const BuildProgress = Type.Object(
  {
    type: Type.Literal('build_progress'),
    placement: BuildPlacement,
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'In percent.' }),
  },
  {
    description: 'Sent on every change and every few seconds. Without it the build counts as lost.',
  },
);

export const BuildRefused = Type.Object(
  { type: Type.Literal('build_refused'), placement: BuildPlacement, wasBegun: Type.Boolean() },
  {
    description:
      'The worker is draining or busy with another build. `wasBegun`: the build started, but failed for a reason other than the picture.',
  },
);

const BuildReport = { ...reportFields, placement: BuildPlacement };

export const Built = Type.Object(
  { type: Type.Literal('built'), ...BuildReport, bundle: BlobHash, portrait: BlobHash },
  { description: 'The build is done. Bundle and portrait are already uploaded.' },
);
export type Built = Static<typeof Built>;

export const BuildFailed = Type.Object(
  {
    type: Type.Literal('build_failed'),
    ...BuildReport,
    reason: Type.Enum(Object.keys(PICTURE_PROBLEMS) as PictureProblem[]),
  },
  { description: 'No avatar can be made from the picture.' },
);
export type BuildFailed = Static<typeof BuildFailed>;
