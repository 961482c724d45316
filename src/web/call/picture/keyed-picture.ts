/*
 * Draws a side-by-side video (left: the avatar on black, premultiplied; right: its opacity as grey)
 * as a transparent canvas. Browsers call back for visible pages only, so hidden ones draw nothing.
 */
import { glKeyer, type Keyer } from './gl-keyer.ts';
import { keyPixels } from './keyed-pixels.ts';

/** Returns a function that ends it. */
export function keyPicture(video: HTMLVideoElement, canvas: HTMLCanvasElement): () => void {
  const keyer = glKeyer(canvas) ?? pixelKeyer(canvas);
  const hasFrames = 'requestVideoFrameCallback' in video;
  let isClosed = false;
  const next = () => {
    if (hasFrames) video.requestVideoFrameCallback(draw);
    else requestAnimationFrame(draw);
  };
  const draw = () => {
    if (isClosed) return;
    const { videoHeight: height } = video;
    const width = video.videoWidth >> 1;
    if (width > 0 && video.readyState >= video.HAVE_CURRENT_DATA) {
      // Also setting the same size clears a canvas.
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
      keyer.draw(video);
    }
    next();
  };
  next();
  return () => {
    isClosed = true;
    keyer.close();
  };
}

function pixelKeyer(canvas: HTMLCanvasElement): Keyer {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return {
    draw(video) {
      if (!context) return;
      const { width, height } = canvas;
      context.drawImage(video, -width, 0, width * 2, height);
      const opacity = context.getImageData(0, 0, width, height);
      context.drawImage(video, 0, 0, width * 2, height);
      const avatar = context.getImageData(0, 0, width, height);
      keyPixels(avatar.data, opacity.data);
      context.putImageData(avatar, 0, 0);
    },
    close() {
      context?.clearRect(0, 0, canvas.width, canvas.height);
    },
  };
}
