import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  openMicrophone,
  SoundProblem,
  type OwnSound,
} from '../../../../src/web/try/speech/own-sound.ts';
import {
  speakOwn,
  type OwnSpeech,
  type Publish,
} from '../../../../src/web/try/speech/own-speech.ts';
import { settle } from '../../../support/test-clock.ts';

afterEach(() => vi.unstubAllGlobals());

/** A sound that the test opens, ends and loses. */
function given(publish?: Publish) {
  const opened = Promise.withResolvers<OwnSound>();
  const over = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const told: OwnSpeech[] = [];
  const done: string[] = [];
  const sound: OwnSound = {
    track: {} as MediaStreamTrack,
    begin: () => done.push('begun'),
    over: over.promise,
    close: () => done.push('closed'),
  };
  const speaking = speakOwn({
    source: 'file',
    open: () => opened.promise,
    publish: publish ?? (async () => () => done.push('taken back')),
    onOpened: () => done.push('opened'),
    tell: (speech) => told.push(speech),
    signal: stopping.signal,
  });
  return { opened, over, stopping, told, done, sound, speaking };
}

const types = (told: OwnSpeech[]) => told.map(({ type }) => type);

describe('speech of one’s own', () => {
  test('begins when the avatar listens, and is over with the file', async () => {
    const listens = Promise.withResolvers<() => void>();
    const { opened, over, told, done, sound, speaking } = given(() => listens.promise);

    opened.resolve(sound);
    await settle();
    const before = [...done];
    listens.resolve(() => done.push('taken back'));
    await settle();
    over.resolve();
    await speaking;

    expect(before).toEqual(['opened']);
    expect(done).toEqual(['opened', 'begun', 'taken back', 'closed']);
    expect(types(told)).toEqual(['opening', 'awaiting', 'speaking', 'silent']);
  });

  test('stopped while the browser still asks: what is opened then is closed unheard', async () => {
    const { opened, stopping, told, done, sound, speaking } = given();

    stopping.abort();
    opened.resolve(sound);
    await speaking;

    expect(done).toEqual(['closed']);
    expect(types(told)).toEqual(['opening']);
  });

  test('stopped while it sounds: taken back and closed, nothing more is told', async () => {
    const { opened, stopping, told, done, sound, speaking } = given();
    opened.resolve(sound);
    await settle();

    stopping.abort();
    await speaking;

    expect(done.slice(-2)).toEqual(['taken back', 'closed']);
    expect(types(told)).toEqual(['opening', 'awaiting', 'speaking']);
  });

  test.each([
    [new SoundProblem('denied'), 'denied'],
    [new Error('a bug'), 'failed'],
  ] as const)('what cannot be opened says why: %s', async (error, problem) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const { opened, told, speaking } = given();

    opened.reject(error);
    await speaking;

    expect(told.at(-1)).toEqual({ type: 'refused', source: 'file', problem });
  });

  test('an avatar that does not listen, and a microphone that is unplugged', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const unheard = given(() => Promise.reject(new SoundProblem('not_heard')));
    unheard.opened.resolve(unheard.sound);
    await unheard.speaking;
    const unplugged = given();
    unplugged.opened.resolve(unplugged.sound);
    await settle();

    unplugged.over.reject(new SoundProblem('lost'));
    await unplugged.speaking;

    expect(unheard.told.at(-1)).toMatchObject({ problem: 'not_heard' });
    expect(unheard.done).toEqual(['opened', 'closed']);
    expect(unplugged.told.at(-1)).toMatchObject({ problem: 'lost' });
    expect(unplugged.done.slice(-2)).toEqual(['taken back', 'closed']);
  });
});

describe('microphone', () => {
  test.each([
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'no_microphone'],
    ['NotReadableError', 'in_use'],
    ['AbortError', 'failed'],
  ])('a browser that answers %s is understood', async (name, problem) => {
    const getUserMedia = () => Promise.reject(new DOMException('no', name));
    vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });

    await expect(openMicrophone()).rejects.toMatchObject({ problem });
  });

  test('a page that is not secure has none', async () => {
    vi.stubGlobal('navigator', {});

    await expect(openMicrophone()).rejects.toMatchObject({ problem: 'not_secure' });
  });

  test('its echo is cancelled, and it is closed when it is not needed', async () => {
    const asked: unknown[] = [];
    const stop = vi.fn();
    const track = Object.assign(new EventTarget(), { stop });
    const getUserMedia = async (wanted: unknown) => {
      asked.push(wanted);
      return { getAudioTracks: () => [track] };
    };
    vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });

    const microphone = await openMicrophone();
    microphone.close();

    expect(asked).toEqual([{ audio: expect.objectContaining({ echoCancellation: true }) }]);
    expect(stop).toHaveBeenCalledOnce();
  });
});
