import { initializeLogger } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { AvatarOutput } from '../../../../workers/agent/speech/avatar-output.ts';
import { UTTERANCE } from '../../../../workers/agent/speech/speak-text.ts';
import { Utterance } from '../../../../workers/agent/speech/utterance.ts';
import { MemoryAvatar } from '../../../support/agents/memory-avatar.ts';
import { settle, TestClock } from '../../../support/test-clock.ts';

const lines: string[] = [];
const log = createLog({ name: 'test', level: 'warn' }, { write: (line) => void lines.push(line) });

let clock: TestClock;
let avatar: MemoryAvatar;
let output: AvatarOutput;
let ends: { heard: number | null; isCut: boolean; byAvatar: boolean }[];

beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
beforeEach(() => {
  clock = new TestClock();
  avatar = new MemoryAvatar();
  ends = [];
  lines.length = 0;
  output = new AvatarOutput({
    avatar,
    clock,
    log,
    onBegun: () => {},
    onOver: ({ heardSeconds, isCut }, byAvatar) =>
      ends.push({ heard: heardSeconds, isCut, byAvatar }),
  });
});

const AT_ONCE_S = 2;

/** Later speech leaves four times as fast as it plays. */
const sendingMs = (seconds: number): number => ((seconds - AT_ONCE_S) * 1_000) / 4;

function frameOf(utterance: Utterance): AudioFrame {
  const frame = new AudioFrame(new Int16Array(24_000), 24_000, 1, 24_000);
  frame.userdata[UTTERANCE] = utterance;
  return frame;
}

async function send(utterance: Utterance, seconds: number): Promise<void> {
  for (let at = 0; at < seconds; at++) await output.captureFrame(frameOf(utterance));
}

/** Sends that many seconds of speech, for which time passes, and ends the segment. */
async function say(seconds: number): Promise<Utterance> {
  const utterance = new Utterance(null);
  const sending = send(utterance, seconds);
  if (seconds > AT_ONCE_S) await clock.pass(sendingMs(seconds));
  await sending;
  output.flush();
  await settle();
  return utterance;
}

describe('speech to the avatar', () => {
  test('counts as interrupted when the avatar ends it before all was sent', async () => {
    await send(new Utterance(null), 2);
    output.started();
    clock.advance(2_000);

    output.finished({ positionSeconds: 2, interrupted: false });

    expect(ends).toEqual([{ heard: 2, isCut: true, byAvatar: true }]);
  });

  test("is one stream that ends with the avatar's report", async () => {
    await say(3);
    output.started();
    clock.advance(3_000);

    output.finished({ positionSeconds: 3, interrupted: false });

    expect(avatar.segments).toEqual([{ seconds: 3, isEnded: true }]);
    expect(ends).toEqual([{ heard: 3, isCut: false, byAvatar: false }]);
    expect(await output.waitForPlayout()).toMatchObject({ interrupted: false });
    expect(clock.waiting).toBe(0);
  });

  test('leaves for two seconds at once, then four times as fast as it plays', async () => {
    const sending = send(new Utterance(null), 6);

    await settle();
    expect(avatar.lastSegment!.seconds).toBe(AT_ONCE_S);
    await clock.pass(499);
    expect(avatar.lastSegment!.seconds).toBe(3);
    await clock.pass(1);
    expect(avatar.lastSegment!.seconds).toBe(4);
    await clock.pass(sendingMs(6) - 500);
    await sending;
    expect(avatar.lastSegment!.seconds).toBe(6);
  });

  test('stops at once when it is over', async () => {
    const sending = send(new Utterance(null), 3);
    await settle();

    output.close();
    await sending;
    output.flush();

    expect(avatar.lastSegment!.seconds).toBe(AT_ONCE_S);
    expect(clock.waiting).toBe(0);
  });

  test('leaves at once again after another worker took over in the middle', async () => {
    const sending = send(new Utterance(null), 40);
    output.started();
    await clock.pass(1_000);
    output.finished({ positionSeconds: 1, interrupted: true });
    await sending;
    output.flush();

    const saying = say(AT_ONCE_S);
    await settle();
    avatar.awaited[0]!.show();
    await saying;

    expect(avatar.segments).toEqual([
      { seconds: 6, isEnded: true },
      { seconds: AT_ONCE_S, isEnded: true },
    ]);
  });

  test('ignores reports on speech of other workers', async () => {
    output.finished({ positionSeconds: 0, interrupted: true });
    await say(5);
    clock.advance(2_000);

    // A report on the previous worker's speech: this much of ours cannot have been played.
    output.finished({ positionSeconds: 5, interrupted: false });

    expect(ends).toEqual([]);
  });

  test('ends at the reported position after a clear', async () => {
    await say(5);
    output.started();
    clock.advance(2_000);

    output.clearBuffer();
    output.finished({ positionSeconds: 1.9, interrupted: true });

    expect(avatar.clears).toBe(1);
    expect(ends).toEqual([{ heard: 1.9, isCut: true, byAvatar: false }]);
    await settle();
    expect(clock.waiting).toBe(0);
  });

  test('ends at the estimated position if the clear fails', async () => {
    avatar.answersClear = () => Promise.reject(new Error('not in the room'));
    await say(5);
    output.started();
    clock.advance(2_000);

    output.clearBuffer();
    await settle();

    expect(ends).toEqual([{ heard: 2, isCut: true, byAvatar: false }]);
    expect(lines).toEqual([expect.stringContaining('the avatar could not be interrupted')]);
  });

  test('warns of nothing when the room ends during a clear', async () => {
    avatar.answersClear = () => Promise.reject(new DOMException('aborted', 'AbortError'));
    await say(5);

    output.clearBuffer();
    await settle();

    expect(ends).toEqual([{ heard: 0, isCut: true, byAvatar: false }]);
    expect(lines).toEqual([]);
  });

  test('ends two seconds after a clear without a report', async () => {
    await say(5);

    output.clearBuffer();
    await clock.pass(1_999);
    expect(ends).toEqual([]);
    await clock.pass(1);

    expect(ends).toEqual([{ heard: 0, isCut: true, byAvatar: false }]);
  });

  test('is dropped at once when interrupted before the avatar is visible', async () => {
    avatar.isVisible = false;
    const saying = say(2);
    await settle();

    output.clearBuffer();
    await saying;
    avatar.awaited[0]!.show();
    await settle();

    expect(ends).toEqual([{ heard: 0, isCut: true, byAvatar: false }]);
    expect(avatar.segments).toEqual([]);
    expect(avatar.clears).toBe(0);
  });

  test('waits for the successor of a replaced avatar', async () => {
    await say(3);
    output.started();
    clock.advance(1_000);
    output.finished({ positionSeconds: 1, interrupted: true });
    expect(ends).toEqual([{ heard: 1, isCut: true, byAvatar: true }]);

    const saying = say(2);
    await settle();
    expect(avatar.awaited).toMatchObject([{ isReplacement: true }]);
    expect(avatar.segments).toHaveLength(1);
    avatar.awaited[0]!.show();
    await saying;

    expect(avatar.lastSegment).toEqual({ seconds: 2, isEnded: true });
  });

  test('ends without a report after a timeout, so that the next answer is not blocked', async () => {
    await say(3);
    output.started();

    await clock.pass(3_000 + 25_000);

    expect(ends).toEqual([{ heard: 3, isCut: true, byAvatar: true }]);
  });

  test('waits for nothing after close', async () => {
    await say(3);

    output.close();

    expect(ends).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });
});
