import { readFileSync } from 'node:fs';
import { decodeFlac } from './flac-file.ts';

export type Wave = { sampleRate: number; channels: number; pcm: Uint8Array };

/** Reads a WAV file of 16-bit PCM, or a FLAC file. */
export function readWave(path: string): Wave {
  const bytes = readFileSync(path);
  if (bytes.toString('latin1', 0, 4) === 'fLaC') return decodeFlac(bytes);
  if (bytes.toString('latin1', 0, 4) !== 'RIFF') {
    throw new Error(`${path} is neither WAV nor FLAC; convert it with: ffmpeg -i ${path} OUT.wav`);
  }
  let format: Omit<Wave, 'pcm'> | null = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (name === 'fmt ') {
      if (bytes.readUInt16LE(at + 22) !== 16)
        throw new Error(`${path}: only 16-bit samples are supported`);
      format = { channels: bytes.readUInt16LE(at + 10), sampleRate: bytes.readUInt32LE(at + 12) };
    } else if (name === 'data') {
      if (!format) break;
      return { ...format, pcm: bytes.subarray(at + 8, at + 8 + length) };
    }
    // Chunks are padded to an even length.
    at += 8 + length + (length % 2);
  }
  throw new Error(`${path} contains no samples`);
}
