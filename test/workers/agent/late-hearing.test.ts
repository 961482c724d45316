/* Calls of agents whose speech recognition becomes ready during the call, or never. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EndReason } from '#protocol/end-reasons.ts';
import { createLog } from '#shared/log.ts';
import { Conversation } from '../../../workers/agent/conversation.ts';
import type { DialogueParts } from '../../../workers/agent/dialogue/dialogue.ts';
import type { CallRecognizer } from '../../../workers/agent/stt/speech-recognition.ts';
import { mute } from '../../../workers/agent/voices/voice.ts';
import { briefWith } from '../../support/agents/call-brief.ts';
import { MemoryAvatar } from '../../support/agents/memory-avatar.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

const log = createLog({ name: 'test', level: 'silent' });
const idle = async () => {};
const talk = { start: idle, begin: idle, sentenceEnd: idle, farewell: idle, close: idle };
/** The dialogue is a stand-in, so nothing is transcribed. */
const hearing = {} as CallRecognizer['hearing'];

let clock: TestClock;
let ready: PromiseWithResolvers<boolean>;
let conversation: Conversation;
let dialogue: DialogueParts;
/** What the room was told, in order. */
let told: string[];

beforeEach(() => {
  clock = new TestClock();
  ready = Promise.withResolvers();
  told = [];
});
afterEach(async () => {
  conversation.drop();
  await conversation.close();
  expect(clock.waiting).toBe(0);
});

async function open(recognizer: CallRecognizer | null): Promise<void> {
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
        brief: async () => briefWith({}),
        keep: idle,
        passages: async () => [],
        reportPictureRefusal: async () => {},
        reportSpending: async () => ({}),
      },
      voiceOf: () => mute,
      recognizerFor: () => recognizer,
      openRoom: (_brief, { hears }) => ({
        avatar: new MemoryAvatar(),
        hears,
        hear: () => void told.push('hear'),
        ended: new Promise<EndReason>(() => {}),
        join: idle,
        tellReady: async () => void told.push(`hears: ${hears}`),
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
  await conversation.started;
}

describe('an agent', () => {
  test('hears from the beginning when its recognizer is ready', async () => {
    await open({ hearing, isReady: true, whenReady: Promise.resolve(true) });
    await settle();

    expect(dialogue.speech.hearing).toBe(hearing);
    expect(told).toEqual(['hears: true']);
  });

  test('hears during the call as soon as its recognizer is ready', async () => {
    await open({ hearing, isReady: false, whenReady: ready.promise });
    await settle();
    expect(dialogue.speech.hearing).toBe(hearing);
    expect(told).toEqual(['hears: false']);

    ready.resolve(true);
    await settle();

    expect(told).toEqual(['hears: false', 'hear']);
  });

  test('does not hear when its recognizer turns out to be too slow', async () => {
    await open({ hearing, isReady: false, whenReady: ready.promise });

    ready.resolve(false);
    await settle();

    expect(told).toEqual(['hears: false']);
  });

  test('does not hear after its call', async () => {
    await open({ hearing, isReady: false, whenReady: ready.promise });

    conversation.end('room_closed');
    ready.resolve(true);
    await settle();

    expect(told).toEqual(['hears: false']);
  });

  test('does not hear without a recognizer', async () => {
    await open(null);
    await settle();

    expect(dialogue.speech.hearing).toBeNull();
    expect(told).toEqual(['hears: false']);
  });
});
