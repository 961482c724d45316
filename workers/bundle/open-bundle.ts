import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, brotliDecompressSync, crc32 } from 'node:zlib';
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

/** A sprite's difference, which stays compressed: most sessions need it in one size only. */
type PackedDifference = {
  /** Both throw or reject with BundleError for a damaged part. */
  unpack(): Promise<Difference>;
  /** Takes some milliseconds. */
  unpackNow(): Difference;
};

/** An open face: shared by all sessions of a process, read-only. */
export type Face = {
  manifest: Omit<Manifest, 'parts'>;
  /** I420. */
  background: Uint8Array;
  base: { y: Uint8Array; a: Uint8Array; u: Uint8Array; v: Uint8Array };
  depth: Uint16Array;
  weight: Uint8Array;
  mouths: (MouthSprite & PackedDifference)[];
  eyes: (EyesSprite & PackedDifference)[];
};

/** One user's reference to an open face. */
export type Bundle = { readonly face: Face; close(): void };

const decompress = promisify(brotliDecompress);

type SharedFace = { users: number; face: Promise<Face> };
const opened = new Map<string, SharedFace>();

/**
 * Opens a bundle, or shares it if already open. Its memory is freed when the last user closes it.
 * Decompression runs off the event loop, so running sessions do not stall. Rejects with
 * BundleError.
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

/**
 * Rejects with BundleError for a file that is hostile, truncated or of another version. Sprites are
 * checked when they are unpacked.
 */
export async function decodeBundle(file: Buffer): Promise<Face> {
  const { manifest, partsAt } = decodeHeader(file);
  const lengths = partLengths(manifest);
  const parts = new Map<string, Packed>();
  let at = partsAt;
  for (const part of manifest.parts) {
    const packed = file.subarray(at, at + part.bytes);
    at += part.bytes;
    parts.set(part.name, { ...part, packed, length: lengths.get(part.name) ?? 0 });
  }
  const unpacked = (name: string) => unpack(parts.get(name)!);

  const { parts: _, ...faceManifest } = manifest;
  const pixels = manifest.width * manifest.height;
  // One at a time: limits the memory that a hostile file can claim.
  const background = await unpacked('background');
  const base = await unpacked('base');
  const depth = await unpacked('depth');
  return {
    manifest: faceManifest,
    background,
    base: {
      y: base.subarray(0, pixels),
      a: base.subarray(pixels, 2 * pixels),
      u: base.subarray(2 * pixels, 2.25 * pixels),
      v: base.subarray(2.25 * pixels),
    },
    depth: new Uint16Array(depth.buffer, depth.byteOffset, depth.length / 2),
    weight: await unpacked('weight'),
    mouths: manifest.mouths.map((mouth) => ({
      ...mouth,
      ...packedDifference(mouth, parts.get(mouthPart(mouth))!),
    })),
    eyes: manifest.eyes.map((eyes) => ({
      ...eyes,
      ...packedDifference(eyes, parts.get(eyesPart(eyes))!),
    })),
  };
}

type Packed = Manifest['parts'][number] & { packed: Uint8Array; length: number };

const packedDifference = (sprite: SpriteShape, part: Packed): PackedDifference => ({
  unpack: async () => difference(sprite, await unpack(part)),
  unpackNow: () => difference(sprite, unpackNow(part)),
});

async function unpack(part: Packed): Promise<Uint8Array> {
  if (part.length === 0) return new Uint8Array();
  const bytes = await decompress(part.packed, { maxOutputLength: part.length }).catch(
    (cause: unknown) => {
      throw cannotUnpack(part, cause);
    },
  );
  return checked(part, bytes);
}

function unpackNow(part: Packed): Uint8Array {
  if (part.length === 0) return new Uint8Array();
  try {
    return checked(part, brotliDecompressSync(part.packed, { maxOutputLength: part.length }));
  } catch (cause) {
    throw cause instanceof BundleError ? cause : cannotUnpack(part, cause);
  }
}

const cannotUnpack = ({ name }: Packed, cause: unknown) =>
  new BundleError(`${name} cannot be decompressed`, { cause });

function checked({ name, length, crc32: expectedCrc }: Packed, bytes: Buffer): Uint8Array {
  if (bytes.length !== length) throw new BundleError(`${name} has the wrong length`);
  if (crc32(bytes) !== expectedCrc) throw new BundleError(`${name} is damaged`);
  // Copied, because 16-bit views need an even offset.
  return new Uint8Array(bytes);
}

type SpriteShape = { area: Rectangle; alpha: boolean };

function difference({ area, alpha }: SpriteShape, bytes: Uint8Array): Difference {
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
