import { PictureQueue } from './picture-queue.ts';

type ScreenParts = {
  canvas: HTMLCanvasElement;
  /** The clock of `show`. */
  now: () => number;
  onShown: () => void;
};

/** Draws JPEG pictures on a canvas, each at its time. */
export class PictureScreen {
  readonly #parts: ScreenParts;
  readonly #queue = new PictureQueue<Uint8Array<ArrayBuffer>>();
  #isClosed = false;

  constructor(parts: ScreenParts) {
    this.#parts = parts;
    void this.#run();
  }

  show(jpeg: Uint8Array, at: number): void {
    this.#queue.push(at, new Uint8Array(jpeg));
  }

  close(): void {
    this.#isClosed = true;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      await new Promise(requestAnimationFrame);
      const jpeg = this.#queue.take(this.#parts.now());
      if (jpeg)
        await this.#draw(jpeg).catch((error: unknown) => console.warn('bad picture', error));
    }
  }

  async #draw(jpeg: Uint8Array<ArrayBuffer>): Promise<void> {
    const picture = await createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' }));
    const { canvas, onShown } = this.#parts;
    if (!this.#isClosed) {
      // Setting the size clears the canvas.
      if (canvas.width !== picture.width) canvas.width = picture.width;
      if (canvas.height !== picture.height) canvas.height = picture.height;
      canvas.getContext('2d')?.drawImage(picture, 0, 0);
      onShown();
    }
    picture.close();
  }
}
