import { PICTURE_PROBLEMS, type PictureProblem } from '#protocol/pictures/picture-problems.ts';

/** The picture cannot become an avatar. The message tells its owner what to change. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
  readonly reason: PictureProblem;

  constructor(reason: PictureProblem, options?: ErrorOptions) {
    super(PICTURE_PROBLEMS[reason], options);
    this.reason = reason;
  }
}
