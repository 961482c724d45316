import { afterEach, expect, test, vi } from 'vitest';
import { keyPicture } from '../../../../src/web/call/picture/keyed-picture.ts';

afterEach(() => vi.unstubAllGlobals());

/** A video whose next picture is shown by a call. */
function fakeVideo() {
  let callback: (() => void) | null = null;
  const video = {
    videoWidth: 2560,
    videoHeight: 720,
    readyState: 4,
    HAVE_CURRENT_DATA: 2,
    requestVideoFrameCallback: (next: () => void) => (callback = next),
  };
  const showPicture = () => {
    const call = callback;
    callback = null;
    call?.();
  };
  return {
    video: video as unknown as HTMLVideoElement,
    showPicture,
    isWaiting: () => callback !== null,
  };
}

class FakeCanvas extends EventTarget {
  width = 300;
  height = 150;
  readonly #contexts: Record<string, unknown>;
  constructor(contexts: Record<string, unknown>) {
    super();
    this.#contexts = contexts;
  }
  getContext = (kind: string) => this.#contexts[kind] ?? null;
}

/** Counts the pictures and programs. Every other call answers an object. */
function fakeGl() {
  const counts = { drawn: 0, programs: 0 };
  const gl = new Proxy(
    {},
    {
      get: (_target, name) => () => {
        if (name === 'drawArrays') counts.drawn += 1;
        if (name === 'createProgram') counts.programs += 1;
        return {};
      },
    },
  );
  return { gl, counts };
}

const key = (video: HTMLVideoElement, canvas: FakeCanvas) =>
  keyPicture(video, canvas as unknown as HTMLCanvasElement);

test('draws each picture in half the width of the video, until it ends', () => {
  const { video, showPicture, isWaiting } = fakeVideo();
  const { gl, counts } = fakeGl();
  const canvas = new FakeCanvas({ webgl: gl });

  const end = key(video, canvas);
  showPicture();
  showPicture();
  expect([canvas.width, canvas.height, counts.drawn]).toEqual([1280, 720, 2]);

  end();
  showPicture();
  expect(counts.drawn).toBe(2);
  expect(isWaiting()).toBe(false);
});

test('goes on once a lost context is restored', () => {
  const { video, showPicture } = fakeVideo();
  const { gl, counts } = fakeGl();
  const canvas = new FakeCanvas({ webgl: gl });
  key(video, canvas);

  const lost = new Event('webglcontextlost', { cancelable: true });
  canvas.dispatchEvent(lost);
  showPicture();
  expect(lost.defaultPrevented).toBe(true);
  expect(counts.drawn).toBe(0);

  canvas.dispatchEvent(new Event('webglcontextrestored'));
  showPicture();
  expect(counts).toEqual({ drawn: 1, programs: 2 });
});

test('keys pixels without WebGL', () => {
  const { video, showPicture } = fakeVideo();
  const halves = [
    { data: new Uint8ClampedArray([255, 255, 255, 255]) },
    { data: new Uint8ClampedArray([200, 100, 50, 255]) },
  ];
  const put = vi.fn<(pixels: object) => void>();
  const drawImage = vi.fn<() => void>();
  const context = { drawImage, getImageData: () => halves.shift(), putImageData: put };
  key(video, new FakeCanvas({ '2d': context }));

  showPicture();

  expect(put.mock.calls[0]![0]).toEqual({ data: new Uint8ClampedArray([200, 100, 50, 255]) });
  expect(drawImage.mock.calls).toEqual([
    [video, -1280, 0, 2560, 720],
    [video, 0, 0, 2560, 720],
  ]);
});

test('draws with the page where browsers do not tell of pictures', () => {
  const { video } = fakeVideo();
  delete (video as Partial<HTMLVideoElement>).requestVideoFrameCallback;
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (next: () => void) => frames.push(next));
  const { gl, counts } = fakeGl();
  key(video, new FakeCanvas({ webgl: gl }));

  frames.shift()?.();

  expect(counts.drawn).toBe(1);
  expect(frames).toHaveLength(1);
});
