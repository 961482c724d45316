import type { Face } from '../../bundle/open-bundle.ts';
import type { Backdrop } from './backdrop.ts';
import { resampler } from './resampler.ts';
import { ShownFace } from './shown-face.ts';
import { type View, viewAround, viewBetween } from './view.ts';

const MOVE_MS = 800;
/** Longer side of the picture that the camera moves over, in pixels. */
const MOST_SIDE = 1920;

type CameraMoveOptions = { face: Face; from: View; to: ShownFace; backdrop: Backdrop };

/**
 * A smooth change of the framing. The face is drawn in one view that holds all of the way, and each
 * frame is cut out of it. A backdrop other than the face's own room stands still.
 */
export class CameraMove {
  /** Draws the view around. Its sprites are chosen by the performer. */
  readonly around: ShownFace;
  readonly #from: View;
  readonly #to: View;
  readonly #behind: { i420: Uint8Array; stride: number; rows: number } | null;
  readonly #picture: Uint8Array;
  #passedMs = 0;

  constructor({ face, from, to, backdrop }: CameraMoveOptions) {
    this.#from = from;
    this.#to = to.view;
    const whole = viewAround(from, to.view);
    const shrunk = Math.min(1, MOST_SIDE / Math.max(whole.width, whole.height));
    this.around = new ShownFace(face, {
      ...whole,
      width: even(whole.width * shrunk),
      height: even(whole.height * shrunk),
      scale: whole.scale * shrunk,
    });
    const i420 = to.backdrop(backdrop);
    this.#behind = i420 && { i420, stride: to.size.width, rows: to.size.height };
    if (i420) this.around.clearBackground();
    const { width, height } = this.around.view;
    this.#picture = new Uint8Array(1.5 * width * height * (i420 ? 2 : 1));
  }

  /** The buffer that `around` draws into; twice as wide with an opacity. */
  get picture(): Uint8Array {
    return this.#picture;
  }

  get needsOpacity(): boolean {
    return this.#behind !== null;
  }

  get isOver(): boolean {
    return this.#passedMs >= MOVE_MS;
  }

  /** The view of the last frame. */
  get view(): View {
    const share = Math.min(1, this.#passedMs / MOVE_MS);
    return viewBetween(this.#from, this.#to, share * share * (3 - 2 * share));
  }

  advance(passedMs: number): void {
    this.#passedMs += passedMs;
  }

  /** Cuts the frame of the current view out of the picture. */
  cut(frame: Uint8Array, hasOpacity: boolean): void {
    resampler().zoom({
      picture: this.#picture,
      around: this.around.view,
      behind: this.#behind,
      view: this.view,
      frame,
      hasOpacity,
    });
  }

  close(): void {
    this.around.close();
  }
}

const even = (side: number) => 2 * Math.ceil(side / 2);
