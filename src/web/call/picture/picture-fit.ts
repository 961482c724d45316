/* How a picture of any shape stands on the stage. */
export type Size = { width: number; height: number };

/** Share of a picture that may be cut at its sides. Faces are in the middle. */
const MOST_CUT_AT_SIDES = 0.45;
/** Share that may be cut above and below, where hair and chin are. */
const MOST_CUT_IN_HEIGHT = 0.2;

const ratioOf = ({ width, height }: Size): number => width / height;

/** `contain`: filling the box would cut too much of the picture. */
export function pictureFit(picture: Size, box: Size): 'cover' | 'contain' {
  const ratio = ratioOf(picture) / ratioOf(box);
  const isCutLittle =
    ratio > 1 ? 1 - 1 / ratio <= MOST_CUT_AT_SIDES : 1 - ratio <= MOST_CUT_IN_HEIGHT;
  return isCutLittle ? 'cover' : 'contain';
}

export const shapeOf = ({ width, height }: Size): 'landscape' | 'portrait' | 'square' =>
  width === height ? 'square' : width > height ? 'landscape' : 'portrait';

/** The frame to ask for, by the box that will show it. Null: it has no size yet. */
export function screenOf({ width, height }: Size): 'landscape' | 'portrait' | null {
  if (width === 0 || height === 0) return null;
  return width < height ? 'portrait' : 'landscape';
}

/** Keeps `data-fit` and `data-shape` of the stage up to date. Returns a function that ends it. */
export function fitPicture(
  stage: HTMLElement,
  video: HTMLVideoElement,
  canvas: HTMLCanvasElement,
): () => void {
  const fit = () => {
    const picture = {
      width: video.videoWidth / (canvas.dataset['keyed'] ? 2 : 1),
      height: video.videoHeight,
    };
    if (!picture.width || !picture.height || !stage.clientWidth || !stage.clientHeight) return;
    const box = { width: stage.clientWidth, height: stage.clientHeight };
    stage.dataset['shape'] = shapeOf(picture);
    stage.dataset['fit'] = pictureFit(picture, box);
  };
  const observer = new ResizeObserver(fit);
  observer.observe(stage);
  video.addEventListener('resize', fit);
  return () => {
    observer.disconnect();
    video.removeEventListener('resize', fit);
  };
}
