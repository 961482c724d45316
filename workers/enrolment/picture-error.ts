import { PICTURE_PROBLEMS, type PictureProblem } from '#protocol/picture-problems.ts';

/** A picture does not become an avatar, and its owner can do something about it: the message says what. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
  readonly reason: PictureProblem;

  constructor(reason: PictureProblem, options?: ErrorOptions) {
    super(PICTURE_PROBLEMS[reason], options);
    this.reason = reason;
  }
}
