import { describe, expect, test } from 'vitest';
import { SoundReader, UnreadableSound } from '#shared/sound/sound-reader.ts';
import { cutUp, pcm, tone } from '../../support/sound/pcm.ts';
import { wavFile } from '../../support/sound/wav-file.ts';

function read(chunks: readonly Uint8Array[], contentType = '') {
  const reader = new SoundReader(contentType);
  const samples = chunks.flatMap((chunk) => [...reader.push(chunk)]);
  samples.push(...reader.end());
  return { samples, sampleRate: reader.sampleRate };
}

const speech = tone(22_050, 300);
const samples = Array.from(speech);

function encoded(bytes: number, write: (view: DataView, at: number, sample: number) => void) {
  const view = new DataView(new ArrayBuffer(bytes * speech.length));
  for (const [i, sample] of speech.entries()) write(view, i * bytes, sample);
  return new Uint8Array(view.buffer);
}

const as8 = encoded(1, (view, at, sample) => view.setUint8(at, (sample >> 8) + 128));
const as24 = encoded(3, (view, at, sample) => view.setInt16(at + 1, sample, true));
const as32 = encoded(4, (view, at, sample) => view.setInt32(at, sample * 65_536, true));
const asFloat = encoded(4, (view, at, sample) => view.setFloat32(at, sample / 32_768, true));
const asDouble = encoded(8, (view, at, sample) => view.setFloat64(at, sample / 32_768, true));
const asBigEndian = encoded(2, (view, at, sample) => view.setInt16(at, sample, false));
const asStereo = pcm(samples.flatMap((sample) => [sample, sample]));

/** The quiet half of an MP3 file: frames of silence at 64 kbit/s, 24 kHz. */
const mp3 = Buffer.concat(
  Array.from({ length: 20 }, () =>
    Buffer.concat([Buffer.from('fff384c4', 'hex'), Buffer.alloc(188)]),
  ),
);

describe('sound of a speech server', () => {
  test.each<[string, Uint8Array, string, number]>([
    ['raw samples', pcm(speech), 'audio/pcm', 24_000],
    ['raw samples without a type', pcm(speech), '', 24_000],
    ['raw samples said to be MP3', pcm(speech), 'audio/mpeg', 24_000],
    ['raw samples with a rate', pcm(speech), 'audio/pcm; rate=22050; channels=1', 22_050],
    ['raw stereo', asStereo, 'audio/L16;rate=44100;channels=2', 44_100],
    ['L16', asBigEndian, 'audio/L16; rate=16000', 16_000],
    ['L16 in the wrong order', pcm(speech), 'audio/L16;codec=pcm;rate=24000', 24_000],
    ['WAV', wavFile(pcm(speech)), 'audio/wav', 22_050],
    ['WAV said to be PCM', wavFile(pcm(speech)), 'audio/pcm', 22_050],
    ['WAV as a stream', wavFile(pcm(speech), { hasLength: false }), 'audio/wav', 22_050],
    ['WAV with more', wavFile(pcm(speech), { extra: Buffer.alloc(9_000, 7) }), '', 22_050],
    ['stereo WAV', wavFile(asStereo, { channels: 2, rate: 48_000 }), 'audio/x-wav', 48_000],
    ['WAV of 24 bits', wavFile(as24, { bits: 24, rate: 16_000 }), 'audio/wav', 16_000],
    ['WAV of 32 bits', wavFile(as32, { bits: 32 }), 'audio/wav', 22_050],
    ['extensible WAV', wavFile(as24, { bits: 24, isExtensible: true }), 'audio/wav', 22_050],
    ['WAV of floats', wavFile(asFloat, { bits: 32, tag: 3 }), 'audio/wav', 22_050],
    ['WAV of doubles', wavFile(asDouble, { bits: 64, tag: 3 }), 'audio/wav', 22_050],
  ])('is read: %s', (_, bytes, contentType, sampleRate) => {
    for (const sizes of [[bytes.length], [1, 3, 700], [4_096]]) {
      const sound = read(cutUp(bytes, sizes), contentType);

      expect(sound.sampleRate).toBe(sampleRate);
      expect(sound.samples).toHaveLength(samples.length);
      expect(
        Math.max(...sound.samples.map((each, i) => Math.abs(each - samples[i]!))),
      ).toBeLessThan(2);
    }
  });

  test('is read from 8 bits and both laws of telephony', () => {
    const coarse = read([wavFile(as8, { bits: 8 })]);
    const ulaw = read([wavFile(Buffer.from([0x80, 0xff, 0x00, 0x7f, 0xaa]), { bits: 8, tag: 7 })]);
    const alaw = read([wavFile(Buffer.from([0xaa, 0xd5, 0x2a, 0x55]), { bits: 8, tag: 6 })]);
    const basic = read([Buffer.from([0x80, 0x00])], 'audio/basic');

    expect(Math.max(...coarse.samples.map((each, i) => Math.abs(each - samples[i]!)))).toBeLessThan(
      257,
    );
    expect(ulaw.samples).toEqual([32_124, 0, -32_124, 0, 5_372]);
    expect(alaw.samples).toEqual([32_256, 8, -32_256, -8]);
    expect(basic).toEqual({ samples: [32_124, -32_124], sampleRate: 8_000 });
  });

  test.each<[string, Uint8Array, string]>([
    ['MP3', mp3, 'audio/mpeg'],
    ['MP3', mp3, 'audio/pcm'],
    ['MP3', Buffer.concat([Buffer.alloc(300), mp3]), 'audio/mpeg'],
    ['MP3', Buffer.concat([Buffer.from('ID3\x04'), Buffer.alloc(300)]), ''],
    ['Ogg', Buffer.concat([Buffer.from('OggS\0'), Buffer.alloc(300, 5)]), 'audio/ogg'],
    ['FLAC', Buffer.concat([Buffer.from('fLaC\0'), Buffer.alloc(300, 5)]), 'audio/pcm'],
    ['WebM', Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(300)]), ''],
    ['MP4', Buffer.concat([Buffer.from('\0\0\0\x20ftypM4A '), Buffer.alloc(300)]), ''],
    ['text', Buffer.from('{"error":"no such voice"}'), 'application/json'],
    ['text', Buffer.from('{"error":"no such voice"}'), 'audio/pcm'],
    ['text', Buffer.from('<!doctype html><p>Sorry'), ''],
    ['compressed', wavFile(Buffer.alloc(300), { tag: 0x55 }), 'audio/wav'],
    ['12 bits', wavFile(Buffer.alloc(300), { bits: 12 }), 'audio/wav'],
    ['without sound', wavFile(Buffer.alloc(0)).subarray(0, 30), 'audio/wav'],
    ['0 channels', wavFile(Buffer.alloc(300), { channels: 0 }), 'audio/wav'],
    ['1000000 Hz', wavFile(Buffer.alloc(300), { rate: 1_000_000 }), 'audio/wav'],
  ])('that cannot be played is named: %s', (name, bytes, contentType) => {
    for (const sizes of [[bytes.length], [7]]) {
      const reading = () => read(cutUp(bytes, sizes), contentType);

      expect(reading).toThrow(UnreadableSound);
      expect(reading).toThrow(name);
    }
  });

  test('may be nothing', () => {
    expect(read([], 'audio/pcm').samples).toEqual([]);
    expect(read([wavFile(new Uint8Array(), { hasLength: false })]).samples).toEqual([]);
    expect(read([new Uint8Array(1)]).samples).toEqual([]);
  });
});
