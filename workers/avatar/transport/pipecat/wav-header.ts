const RIFF_BYTES = 12;
const CHUNK_BYTES = 8;

/** Some bots send each audio chunk as a WAV file (`add_wav_header`). Other bytes stay the same. */
export function withoutWavHeader(audio: Uint8Array): Uint8Array {
  if (textAt(audio, 0) !== 'RIFF' || textAt(audio, 8) !== 'WAVE') return audio;
  const view = new DataView(audio.buffer, audio.byteOffset, audio.byteLength);
  let at = RIFF_BYTES;
  while (at + CHUNK_BYTES <= audio.length) {
    const size = view.getUint32(at + 4, true);
    const from = at + CHUNK_BYTES;
    if (textAt(audio, at) === 'data') return audio.subarray(from, from + size);
    // Chunks begin at even offsets.
    at = from + size + (size % 2);
  }
  return new Uint8Array();
}

const textAt = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4));
