import { initializeLogger } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { AvatarOutput } from '../../../../workers/agent/speech/avatar-output.ts';
import { UTTERANCE } from '../../../../workers/agent/speech/speaking.ts';
import { Utterance } from '../../../../workers/agent/speech/utterance.ts';
import { MemoryAvatar } from '../../../support/agents/memory-avatar.ts';
import { settle, TestClock } from '../../../support/test-clock.ts';

const log = createLog({ name: 'test', level: 'silent' });

let clock: TestClock;
let avatar: MemoryAvatar;
let output: AvatarOutput;
let over: { heard: number | null; isCut: boolean; byAvatar: boolean }[];

beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
beforeEach(() => {
  clock = new TestClock();
  avatar = new MemoryAvatar();
  over = [];
  output = new AvatarOutput({
    avatar,
    clock,
    log,
    onBegun: () => {},
    onOver: ({ heardSeconds, isCut }, byAvatar) => over.push({ heard: heardSeconds, isCut, byAvatar }),
  });
});

function frameOf(utterance: Utterance): AudioFrame {
  const frame = new AudioFrame(new Int16Array(24_000), 24_000, 1, 24_000);
  frame.userdata[UTTERANCE] = utterance;
  return frame;
}

/** Speech of so many seconds, to its end. */
async function say(seconds: number): Promise<Utterance> {
  const utterance = new Utterance(null);
  for (let at = 0; at < seconds; at++) await output.captureFrame(frameOf(utterance));
  output.flush();
  await settle();
  return utterance;
}

describe('speech to the face', () => {
  test('is one stream, and over by its word', async () => {
    await say(3);
    output.started();
    clock.advance(3_000);

    output.finished({ positionSeconds: 3, interrupted: false });

    expect(avatar.segments).toEqual([{ seconds: 3, isEnded: true }]);
    expect(over).toEqual([{ heard: 3, isCut: false, byAvatar: false }]);
    expect(await output.waitForPlayout()).toMatchObject({ interrupted: false });
    expect(clock.waiting).toBe(0);
  });

  test('what the face told of before, and of nobody, ends nothing', async () => {
    output.finished({ positionSeconds: 0, interrupted: true });
    await say(5);
    clock.advance(2_000);

    // Of what a worker before us had sent: this much of ours cannot have been heard.
    output.finished({ positionSeconds: 5, interrupted: false });

    expect(over).toEqual([]);
  });

  test('is cut where the face says, when it is told to fall silent', async () => {
    await say(5);
    output.started();
    clock.advance(2_000);

    output.clearBuffer();
    output.finished({ positionSeconds: 1.9, interrupted: true });

    expect(avatar.clears).toBe(1);
    expect(over).toEqual([{ heard: 1.9, isCut: true, byAvatar: false }]);
    await settle();
    expect(clock.waiting).toBe(0);
  });

  test('is over where it must have been heard, when the face cannot be told', async () => {
    avatar.answersClear = () => Promise.reject(new Error('nobody there'));
    await say(5);
    output.started();
    clock.advance(2_000);

    output.clearBuffer();
    await settle();

    expect(over).toEqual([{ heard: 2, isCut: true, byAvatar: false }]);
  });

  test('is over two seconds after a clear that the face took and did not answer', async () => {
    await say(5);

    output.clearBuffer();
    await clock.pass(1_999);
    expect(over).toEqual([]);
    await clock.pass(1);

    expect(over).toEqual([{ heard: 0, isCut: true, byAvatar: false }]);
  });

  test('cut before the face has come, it is over at once and never sent', async () => {
    avatar.isVisible = false;
    const saying = say(2);
    await settle();

    output.clearBuffer();
    await saying;
    avatar.awaited[0]!.show();
    await settle();

    expect(over).toEqual([{ heard: 0, isCut: true, byAvatar: false }]);
    expect(avatar.segments).toEqual([]);
    expect(avatar.clears).toBe(0);
  });

  test('a face that was replaced is waited for before anything more is sent', async () => {
    await say(3);
    output.started();
    clock.advance(1_000);
    output.finished({ positionSeconds: 1, interrupted: true });
    expect(over).toEqual([{ heard: 1, isCut: true, byAvatar: true }]);

    const saying = say(2);
    await settle();
    expect(avatar.awaited).toMatchObject([{ isReplacement: true }]);
    expect(avatar.segments).toHaveLength(1);
    avatar.awaited[0]!.show();
    await saying;

    expect(avatar.last).toEqual({ seconds: 2, isEnded: true });
  });

  test('a face that never tells is given up on, so that the next answer is not held up', async () => {
    await say(3);
    output.started();

    await clock.pass(3_000 + 25_000);

    expect(over).toEqual([{ heard: 3, isCut: true, byAvatar: true }]);
  });

  test('closed, nothing is waited for', async () => {
    await say(3);

    output.close();

    expect(over).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });
});
