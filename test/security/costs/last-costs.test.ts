/* The end of a call while the control plane takes no reports of its costs. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { delay } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import { Conversation } from '../../../workers/agent/conversation.ts';
import type { DialogueParts } from '../../../workers/agent/dialogue/dialogue.ts';
import { mute } from '../../../workers/agent/voices/voice.ts';
import { briefWith } from '../../support/agents/call-brief.ts';
import { deafRoom, MemoryAvatar } from '../../support/agents/memory-avatar.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

const log = createLog({ name: 'test', level: 'silent' });
const NOTHING = { modelTokens: 0, speechCharacters: 0, texts: 0 };
const LONG_MS = 600_000;

const idle = async () => {};

let clock: TestClock;
let dialogue: DialogueParts;
let conversation: Conversation;
let reportCount: number;
let onReport: (signal?: AbortSignal) => Promise<object>;
let onKeep: () => Promise<void>;

beforeEach(async () => {
  clock = new TestClock();
  reportCount = 0;
  onReport = async () => ({});
  onKeep = async () => {};
  const talk = { start: idle, begin: idle, sentenceEnd: idle, farewell: idle, close: idle };
  conversation = new Conversation(
    {
      type: 'assign',
      placement: { sessionId: 'session', epoch: 1 },
      transport: 'mediaserver',
      room: { url: 'ws://room', token: 'token' },
      avatarId: 'mira',
      video: { width: 512, height: 512, fps: 25 },
      callId: 'call-1',
    },
    { renewed: () => {}, speechProgressed: () => {}, record: () => {} },
    {
      clock,
      log,
      control: {
        brief: async () =>
          briefWith({ budget: { spent: NOTHING, left: {}, textsPerTenMinutes: 60 } }),
        keep: () => onKeep(),
        passages: async () => [],
        reportPictureRefusal: async () => {},
        reportSpending: (_totals, signal) => {
          reportCount += 1;
          return onReport(signal);
        },
      },
      voiceOf: () => mute,
      recognizerFor: () => null,
      openRoom: () => ({
        ...deafRoom,
        avatar: new MemoryAvatar(),
        ended: new Promise(() => {}),
        join: idle,
        tellReady: idle,
        close: idle,
      }),
      openDialogue: (parts) => {
        dialogue = parts;
        return {
          ...talk,
          isSilent: true,
          ask: () => {},
          say: () => {},
          hold: () => {},
          playbackStarted: () => {},
          playbackFinished: () => {},
        };
      },
      userGraceMs: 60_000,
    },
  );
  await settle();
});
afterEach(async () => {
  conversation.drop();
  await conversation.close();
  expect(clock.waiting).toBe(0);
});

describe('the last costs of a call', () => {
  test('keep no worker that stops longer than its last lines', async () => {
    onReport = (signal) => delay(clock, LONG_MS, signal).then(() => ({}));
    onKeep = () => delay(clock, LONG_MS);
    dialogue.budget.add({ modelTokens: 1 });
    dialogue.lines.add({ sender: 'ai', text: 'Yes.' }, 0);
    await settle();

    conversation.end('service_stopped');
    await clock.pass(500);
    const winner = await Promise.race([conversation.ended, settle().then(() => 'open')]);

    expect(winner).toBe('service_stopped');
    await clock.pass(LONG_MS);
  });

  test('are reported once the control plane is back', async () => {
    onReport = () => Promise.reject(new Error('away'));
    dialogue.budget.add({ modelTokens: 1 });
    conversation.end('room_closed');
    await clock.pass(40_000);
    const failedReports = reportCount;
    onReport = async () => ({});
    await clock.pass(40_000);

    expect(await conversation.ended).toBe('room_closed');
    await conversation.close();
    expect(reportCount).toBe(failedReports + 1);
  });
});
