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

/** A sound controlled by the test. */
function given(publish?: Publish) {
  const opened = Promise.withResolvers<OwnSound>();
  const over = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const states: OwnSpeech[] = [];
  const done: string[] = [];
  const sound: OwnSound = {
    track: {} as MediaStreamTrack,
    begin: () => done.push('started'),
    over: over.promise,
    close: () => done.push('closed'),
  };
  const speaking = speakOwn({
    source: 'file',
    open: () => opened.promise,
    publish: publish ?? (async () => () => done.push('unpublished')),
    onOpened: () => done.push('opened'),
    onChange: (speech) => states.push(speech),
    signal: stopping.signal,
  });
  return { opened, over, stopping, states, done, sound, speaking };
}

const types = (states: OwnSpeech[]) => states.map(({ type }) => type);

describe('own speech', () => {
  test('starts when the avatar listens, and ends with the file', async () => {
    const listens = Promise.withResolvers<() => void>();
    const { opened, over, states, done, sound, speaking } = given(() => listens.promise);

    opened.resolve(sound);
    await settle();
    const stepsBefore = [...done];
    listens.resolve(() => done.push('unpublished'));
    await settle();
    over.resolve();
    await speaking;

    expect(stepsBefore).toEqual(['opened']);
    expect(done).toEqual(['opened', 'started', 'unpublished', 'closed']);
    expect(types(states)).toEqual(['opening', 'awaiting', 'speaking', 'silent']);
  });

  test('stopped before the microphone opens, closes it without publishing', async () => {
    const { opened, stopping, states, done, sound, speaking } = given();

    stopping.abort();
    opened.resolve(sound);
    await speaking;

    expect(done).toEqual(['closed']);
    expect(types(states)).toEqual(['opening']);
  });

  test('stopped while speaking, unpublishes and closes without a report', async () => {
    const { opened, stopping, states, done, sound, speaking } = given();
    opened.resolve(sound);
    await settle();

    stopping.abort();
    await speaking;

    expect(done.slice(-2)).toEqual(['unpublished', 'closed']);
    expect(types(states)).toEqual(['opening', 'awaiting', 'speaking']);
  });

  test.each([
    [new SoundProblem('denied'), 'denied'],
    [new Error('a bug'), 'failed'],
  ] as const)('reports why the sound cannot be opened: %s', async (error, problem) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const { opened, states, speaking } = given();

    opened.reject(error);
    await speaking;

    expect(states.at(-1)).toEqual({ type: 'refused', source: 'file', problem });
  });

  test('reports an avatar that does not listen, and an unplugged microphone', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const unheard = given(() => Promise.reject(new SoundProblem('not_heard')));
    unheard.opened.resolve(unheard.sound);
    await unheard.speaking;
    const unplugged = given();
    unplugged.opened.resolve(unplugged.sound);
    await settle();

    unplugged.over.reject(new SoundProblem('lost'));
    await unplugged.speaking;

    expect(unheard.states.at(-1)).toMatchObject({ problem: 'not_heard' });
    expect(unheard.done).toEqual(['opened', 'closed']);
    expect(unplugged.states.at(-1)).toMatchObject({ problem: 'lost' });
    expect(unplugged.done.slice(-2)).toEqual(['unpublished', 'closed']);
  });
});

describe('microphone', () => {
  test.each([
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'missing'],
    ['NotReadableError', 'in_use'],
    ['AbortError', 'failed'],
  ])('maps %s to %s', async (name, problem) => {
    const getUserMedia = () => Promise.reject(new DOMException('no', name));
    vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });

    await expect(openMicrophone()).rejects.toMatchObject({ problem });
  });

  test('is unavailable on an insecure page', async () => {
    vi.stubGlobal('navigator', {});

    await expect(openMicrophone()).rejects.toMatchObject({ problem: 'not_secure' });
  });

  test('uses echo cancellation, and is closed after use', async () => {
    const constraints: unknown[] = [];
    const stop = vi.fn();
    const track = Object.assign(new EventTarget(), { stop });
    const getUserMedia = async (request: unknown) => {
      constraints.push(request);
      return { getAudioTracks: () => [track] };
    };
    vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });

    const microphone = await openMicrophone();
    microphone.close();

    expect(constraints).toEqual([{ audio: expect.objectContaining({ echoCancellation: true }) }]);
    expect(stop).toHaveBeenCalledOnce();
  });
});
