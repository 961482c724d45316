import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, crc32 } from 'node:zlib';
import {
  BundleError,
  decodeHeader,
  eyesPart,
  type EyesSprite,
  type Manifest,
  mouthPart,
  type MouthSprite,
  partLengths,
  type Rectangle,
} from './format.ts';

/** Change to the base's planes within `area`. `a` is null if the outline does not change. */
export type Difference = {
  area: Rectangle;
  y: Int16Array;
  a: Int16Array | null;
  u: Int16Array;
  v: Int16Array;
};

/** An open face: shared by all sessions of a process, read-only. */
export type Face = {
  manifest: Omit<Manifest, 'parts'>;
  /** I420. */
  background: Uint8Array;
  base: { y: Uint8Array; a: Uint8Array; u: Uint8Array; v: Uint8Array };
  depth: Uint16Array;
  weight: Uint8Array;
  mouths: (MouthSprite & { difference: Difference })[];
  eyes: (EyesSprite & { difference: Difference })[];
};

/** One user's reference to an open face. */
export type Bundle = { readonly face: Face; close(): void };

const decompress = promisify(brotliDecompress);

type SharedFace = { users: number; face: Promise<Face> };
const opened = new Map<string, SharedFace>();

/**
 * Opens a bundle, or shares it if already open. Its memory is freed when the last user closes it.
 * Decompression runs off the event loop and the rest in slices of one to two milliseconds, so
 * running sessions do not stall. Rejects with BundleError.
 */
export async function openBundle(file: string): Promise<Bundle> {
  const key = path.resolve(file);
  const sharedFace = opened.get(key) ?? { users: 0, face: readFile(key).then(decodeBundle) };
  opened.set(key, sharedFace);
  sharedFace.users++;

  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    if (--sharedFace.users === 0 && opened.get(key) === sharedFace) opened.delete(key);
  };
  try {
    return { face: await sharedFace.face, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Rejects with BundleError for a file that is hostile, truncated or of another version. */
export async function decodeBundle(file: Buffer): Promise<Face> {
  const { manifest, partsAt } = decodeHeader(file);
  const lengths = partLengths(manifest);
  const parts = new Map<string, Uint8Array>();
  let at = partsAt;
  for (const part of manifest.parts) {
    const packed = file.subarray(at, at + part.bytes);
    at += part.bytes;
    // One at a time: keeps the slices short, and limits the memory that a hostile file can claim.
    parts.set(part.name, await unpack(part, packed, lengths.get(part.name) ?? 0));
  }
  const bytesOf = (name: string) => parts.get(name) ?? new Uint8Array();

  const { parts: _, ...faceManifest } = manifest;
  const pixels = manifest.width * manifest.height;
  const base = bytesOf('base');
  const depth = bytesOf('depth');
  const face: Face = {
    manifest: faceManifest,
    background: bytesOf('background'),
    base: {
      y: base.subarray(0, pixels),
      a: base.subarray(pixels, 2 * pixels),
      u: base.subarray(2 * pixels, 2.25 * pixels),
      v: base.subarray(2.25 * pixels),
    },
    depth: new Uint16Array(depth.buffer, depth.byteOffset, depth.length / 2),
    weight: bytesOf('weight'),
    mouths: [],
    eyes: [],
  };
  for (const mouth of manifest.mouths) {
    face.mouths.push({ ...mouth, difference: difference(mouth, bytesOf(mouthPart(mouth))) });
    await nextTurn();
  }
  for (const eyes of manifest.eyes) {
    face.eyes.push({ ...eyes, difference: difference(eyes, bytesOf(eyesPart(eyes))) });
    await nextTurn();
  }
  return face;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

async function unpack(
  part: Manifest['parts'][number],
  packed: Uint8Array,
  length: number,
): Promise<Uint8Array> {
  if (length === 0) return new Uint8Array();
  let bytes: Buffer;
  try {
    bytes = await decompress(packed, { maxOutputLength: length });
  } catch (cause) {
    throw new BundleError(`${part.name} cannot be decompressed`, { cause });
  }
  if (bytes.length !== length) throw new BundleError(`${part.name} has the wrong length`);
  if (crc32(bytes) !== part.crc32) throw new BundleError(`${part.name} is damaged`);
  // Copied, because 16-bit views need an even offset.
  return new Uint8Array(bytes);
}

function difference(
  { area, alpha }: { area: Rectangle; alpha: boolean },
  bytes: Uint8Array,
): Difference {
  const samples = new Int16Array(bytes.length / 2);
  for (let i = 0; i < samples.length; i++) {
    samples[i] = (bytes[i] ?? 0) | ((bytes[samples.length + i] ?? 0) << 8);
  }
  const pixels = area.width * area.height;
  const colourAt = alpha ? 2 * pixels : pixels;
  return {
    area,
    y: samples.subarray(0, pixels),
    a: alpha ? samples.subarray(pixels, 2 * pixels) : null,
    u: samples.subarray(colourAt, colourAt + pixels / 4),
    v: samples.subarray(colourAt + pixels / 4),
  };
}
