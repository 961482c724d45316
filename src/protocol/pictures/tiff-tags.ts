const SUBFILE_TYPE = 254;
const PHOTOMETRIC = 262;
const SUB_IFDS = 330;
const DNG_VERSION = 50_706;
/** Colours as a sensor sees them: by a mosaic of filters, and linear. */
const SENSOR_COLOURS = [32_803, 34_892];
const MOST_TAGS = 4_096;

/** Whether a TIFF holds the raw photo of a camera, whose first picture is a small preview. */
export function isRawTiff(file: Buffer): boolean {
  const tags = readTags(file);
  const isPreview = ((tags.get(SUBFILE_TYPE) ?? 0) & 1) === 1;
  return (
    tags.has(DNG_VERSION) ||
    SENSOR_COLOURS.includes(tags.get(PHOTOMETRIC) ?? 0) ||
    (isPreview && tags.has(SUB_IFDS))
  );
}

/** The tags of the first picture with their values, where these are short numbers. */
function readTags(file: Buffer): Map<number, number> {
  const tags = new Map<number, number>();
  const isLittle = file[0] === 0x49;
  const short = (at: number) => (isLittle ? file.readUInt16LE(at) : file.readUInt16BE(at));
  const long = (at: number) => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at));
  try {
    const start = long(4);
    const count = Math.min(short(start), MOST_TAGS);
    for (let index = 0; index < count; index++) {
      const at = start + 2 + 12 * index;
      const isShort = short(at + 2) === 3;
      tags.set(short(at), isShort ? short(at + 8) : long(at + 8));
    }
  } catch (error) {
    // Truncated file.
    if (!(error instanceof RangeError)) throw error;
  }
  return tags;
}
