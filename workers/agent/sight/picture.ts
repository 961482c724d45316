import { VideoBufferType, type VideoFrameEvent } from '@livekit/rtc-node';
import sharp from 'sharp';

/** Models look at hardly more. */
const LONGER_SIDE = 768;
const QUALITY = 75;
const DEGREES_PER_TURN = 90;

/** A JPEG as a data URL. */
export async function pictureOf({ frame, rotation }: VideoFrameEvent): Promise<string> {
  const { data, width, height } = frame.convert(VideoBufferType.RGBA);
  const jpeg = await sharp(data, { raw: { width, height, channels: 4 } })
    .rotate(rotation * DEGREES_PER_TURN)
    .resize({ width: LONGER_SIDE, height: LONGER_SIDE, fit: 'inside', withoutEnlargement: true })
    .removeAlpha()
    .jpeg({ quality: QUALITY })
    .toBuffer();
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`;
}
