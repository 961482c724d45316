import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SoundPlayer } from '../../../../src/web/try/botroom/sound-player.ts';
import { FakeAudioContext } from '../../../support/pages/fake-audio-context.ts';

let context: FakeAudioContext;
let player: SoundPlayer;
let blocked: boolean[];

beforeEach(() => {
  vi.stubGlobal('AudioContext', FakeAudioContext);
  blocked = [];
  player = new SoundPlayer((isBlocked) => blocked.push(isBlocked));
  context = FakeAudioContext.instances.pop()!;
  context.currentTime = 10;
});
afterEach(() => vi.unstubAllGlobals());

/** 20 ms at 48 kHz whose samples all have this value. */
const piece = (value: number) => new Uint8Array(new Int16Array(960).fill(value).buffer);
const play = (value: number) => player.play(piece(value), 48_000, 1);

describe('sound player', () => {
  test('plays pieces one directly after another, a moment after the first came', () => {
    for (const value of [1, 2, 3]) play(value);

    const times = [10, 10.07, 10.08, 10.1, 10.119, 10.12, 10.14];
    expect(times.map((at) => context.heardAt(at))).toEqual([[], [], [1], [2], [2], [3], []]);
  });

  test('a piece that comes late, but before the sound ran out, leaves no gap', () => {
    play(1);
    context.currentTime = 10.099;
    play(2);

    expect([10.099, 10.1].map((at) => context.heardAt(at))).toEqual([[1], [2]]);
  });

  test('waits again after the sound ran out', () => {
    play(1);
    context.currentTime = 11;
    play(2);

    expect([11.07, 11.08].map((at) => context.heardAt(at))).toEqual([[], [2]]);
  });

  test('falls silent at once', () => {
    for (const value of [1, 2, 3]) play(value);
    context.currentTime = 10.11;
    player.clear();

    expect([10.11, 10.13].map((at) => context.heardAt(at))).toEqual([[], []]);
    expect(player.latestAt).toBeNull();
  });

  test('says when the latest piece is heard, while it plays', () => {
    expect(player.latestAt).toBeNull();
    play(1);
    play(2);
    expect(player.latestAt).toBeCloseTo(10.1);
    context.currentTime = 10.2;
    expect(player.latestAt).toBeNull();
  });

  test('catches up after a stall: leaves out silence, and speech that would be very late', () => {
    for (let i = 0; i < 5; i++) play(1);
    for (let i = 0; i < 50; i++) play(0);
    const withoutSilence = context.started.length;
    for (let i = 0; i < 500; i++) play(1);

    expect(withoutSilence).toBe(7);
    expect(context.started.length).toBe(97);
  });

  test('counts what has left the speakers', () => {
    context.outputLatency = 0.05;

    expect(player.heardAt).toBeCloseTo(9.95);
  });

  test('reads both channels', () => {
    const stereo = new Uint8Array(new Int16Array([100, -100, 200, -200]).buffer);
    player.play(stereo, 24_000, 2);

    const { buffer } = context.started[0]!;
    const samples = [0, 1].map((channel) =>
      [...buffer!.getChannelData(channel)].map((sample) => Math.round(sample * 32_768)),
    );
    expect(samples).toEqual([
      [100, 200],
      [-100, -200],
    ]);
  });

  test('forgets sound while the browser blocks it, and reports both changes', async () => {
    context.change('suspended');
    play(1);
    await player.wake();
    play(2);
    await player.close();

    expect(blocked).toEqual([true, false]);
    expect(context.heardAt(10.08)).toEqual([2]);
  });
});
