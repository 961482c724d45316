import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import { BUILT_IN_VOICES, builtInVoice } from '#protocol/voice/built-in-voices.ts';
import { FliteVoice } from '../../../../workers/agent/voices/flite.ts';
import { HibariVoice } from '../../../../workers/agent/voices/hibari.ts';
import {
  firstThatSpeaks,
  mute,
  type Sound,
  type Voice,
} from '../../../../workers/agent/voices/voice.ts';
import { Voices } from '../../../../workers/agent/voices/voices.ts';
import { until } from '../../../support/until.ts';

const log = createLog({ name: 'test', level: 'silent' });
const { signal } = new AbortController();
const [nora] = BUILT_IN_VOICES;
const theo = builtInVoice('theo');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function soundOf(voice: Voice, sentence: string): Promise<Sound[]> {
  const sounds: Sound[] = [];
  for await (const sound of voice.speak(sentence, signal)) sounds.push(sound);
  return sounds;
}

const secondsOf = (sounds: Sound[]): number =>
  sounds.reduce((sum, { samples, sampleRate }) => sum + samples.length / sampleRate, 0);

/** Speaks like natural_voice.py, without its package. */
const PYTHON = `#!${process.execPath}
const { createInterface } = require('node:readline');
const tell = (message) => console.log(JSON.stringify(message));
tell({ ready: true });
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, text, speaker } = JSON.parse(line);
  if (text === 'fail') return tell({ id, failed: 'no' });
  if (text === '12') return tell({ id, failed: 'no digits' });
  const pitch = speaker ? Math.round(speaker.pitch * 100) : 100;
  tell({ id, rate: 24000, pcm: Buffer.alloc(48000, pitch).toString('base64') });
});
`;

async function python(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-hibari-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'python');
  await writeFile(file, PYTHON);
  await chmod(file, 0o755);
  return file;
}

async function hibari(): Promise<HibariVoice> {
  const voice = new HibariVoice(await python(), systemClock, log);
  closing.push(() => voice.close());
  await until(() => voice.isReady);
  return voice;
}

describe('the small voice', () => {
  test('speaks concurrent sentences', async () => {
    const small = new FliteVoice();
    closing.push(() => small.close());
    const voice = small.as(nora);

    const [long, short] = await Promise.all([
      soundOf(voice, 'This is a rather long sentence.'),
      soundOf(voice, 'Hello.'),
    ]);

    expect(secondsOf(long)).toBeGreaterThan(secondsOf(short));
    expect(secondsOf(short)).toBeGreaterThan(0.3);
  });

  test('speaks again after its thread has ended', async () => {
    const small = new FliteVoice();
    closing.push(() => small.close());
    const lostSound = soundOf(small.as(nora), 'Hello.');
    await small.close();
    await expect(lostSound).rejects.toThrow('the voice thread ended');

    expect(secondsOf(await soundOf(small.as(nora), 'Hello.'))).toBeGreaterThan(0.3);
  });

  test('has a man and a woman', async () => {
    const small = new FliteVoice();
    closing.push(() => small.close());

    const [woman, man] = await Promise.all(
      [nora, theo].map((voice) => soundOf(small.as(voice), 'Hello.')),
    );

    expect(woman![0]!.samples).not.toEqual(man![0]!.samples);
  });
});

describe('the natural voice', () => {
  test('speaks, and reports failures', async () => {
    const voice = (await hibari()).as(nora);

    expect(secondsOf(await soundOf(voice, 'Hello.'))).toBe(1);
    await expect(soundOf(voice, 'fail')).rejects.toThrow('no');
  });

  test('speaks as the chosen speaker', async () => {
    const voice = await hibari();

    const [woman] = await soundOf(voice.as(nora), 'Hello.');
    const [man] = await soundOf(voice.as(theo), 'Hello.');

    expect(woman!.samples[0]).toBe(100 * 257);
    expect(man!.samples[0]).toBe(63 * 257);
  });
});

describe('choice of the voice', () => {
  test('falls back to the next voice when one fails to start a sentence', async () => {
    const failures: string[] = [];
    const broken: Voice = {
      name: 'broken',
      // oxlint-disable-next-line require-yield -- it fails before
      async *speak() {
        throw new Error('no');
      },
    };
    const voice = firstThatSpeaks([broken, mute], ({ name }) => failures.push(name));

    expect(secondsOf(await soundOf(voice, 'Twenty-five characters...'))).toBe(1);
    expect(failures).toEqual(['broken']);
  });

  test.each([
    ['nothing', []],
    ['no samples', [new Int16Array(0)]],
    ['only silence', [new Int16Array(480), new Int16Array(480)]],
  ])('falls back to the next voice when one says %s', async (_, blocks) => {
    const failures: string[] = [];
    const empty: Voice = {
      name: 'empty',
      async *speak() {
        for (const samples of blocks) yield { samples, sampleRate: 24_000 };
      },
    };
    const voice = firstThatSpeaks([empty, mute], (_, error) => failures.push(String(error)));

    expect(secondsOf(await soundOf(voice, 'Twenty-five characters...'))).toBe(1);
    expect(failures).toEqual(['Error: the voice said nothing']);
  });

  test('keeps the silence before the first sound of a voice', async () => {
    const slow: Voice = {
      name: 'slow',
      async *speak() {
        yield { samples: new Int16Array(12_000), sampleRate: 24_000 };
        yield { samples: new Int16Array(12_000).fill(9), sampleRate: 24_000 };
      },
    };
    const voice = firstThatSpeaks([slow, mute], () => {});

    expect(secondsOf(await soundOf(voice, 'Hello.'))).toBe(1);
  });

  test('gives silence of the reading time for a language without a voice', async () => {
    const voices = new Voices({ naturalVoiceFolder: null, clock: systemClock, log });
    closing.push(() => voices.close());

    const [silence] = await soundOf(voices.voiceOf({ tts: null, language: 'de' }), 'Guten Tag.');
    const [sound] = await soundOf(voices.voiceOf({ tts: null, language: 'en-GB' }), 'Good day.');

    expect(silence!.samples.length).toBeGreaterThan(0);
    expect(silence!.samples.every((sample) => sample === 0)).toBe(true);
    expect(sound!.samples.some((sample) => sample !== 0)).toBe(true);
  });

  test('uses the natural voice once it is installed, even after the start', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'troupe-voices-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const voices = new Voices({ naturalVoiceFolder: folder, clock: systemClock, log });
    closing.push(() => voices.close());
    const brief = { tts: null, language: 'en' };
    expect(voices.voiceOf(brief).name).toBe('flite');

    await mkdir(path.join(folder, 'bin'));
    await symlink(await python(), path.join(folder, 'bin/python'));
    await writeFile(path.join(folder, 'ready'), '');

    await until(() => voices.voiceOf(brief).name === 'hibari');
    // As the chosen speaker, in words.
    const [sound] = await soundOf(voices.voiceOf({ ...brief, voice: 'theo' }), '12');
    expect(sound).toMatchObject({ sampleRate: 24_000 });
    expect(sound!.samples[0]).toBe(63 * 257);
  });
});
