/* A conversation that has cost as much as it may ends, and says so. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import type { CallAllowance, CallBrief, CallSpending } from '#protocol/call-brief.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import type { CallRoomListener } from '../../../workers/agent/call-room.ts';
import { Conversation, type ConversationDialogue } from '../../../workers/agent/conversation.ts';
import type { DialogueParts } from '../../../workers/agent/dialogue/dialogue.ts';
import { mute } from '../../../workers/agent/voices/voice.ts';
import { briefWith } from '../../support/agents/call-brief.ts';
import { deafRoom, MemoryAvatar } from '../../support/agents/memory-avatar.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

const log = createLog({ name: 'test', level: 'silent' });

let clock: TestClock;
let listener: CallRoomListener;
let dialogue: DialogueParts;
/** Actions of the conversation, in order. */
let steps: string[];
let isSilent: boolean;
/** Totals that it reported, and the answer to the next report. */
let reports: CallSpending[];
let allowance: CallAllowance;
let conversation: Conversation;

beforeEach(() => {
  clock = new TestClock();
  steps = [];
  isSilent = true;
  reports = [];
  allowance = {};
});
afterEach(async () => {
  conversation.drop();
  await conversation.close();
  expect(clock.waiting).toBe(0);
});

const talk: ConversationDialogue = {
  start: async () => {},
  begin: async () => void steps.push('begin'),
  ask: () => {},
  say: () => {},
  get isSilent() {
    return isSilent;
  },
  playbackStarted: () => {},
  playbackFinished: () => {},
  sentenceEnd: async () => {},
  hold: () => void steps.push('hold'),
  farewell: async (text) => void steps.push(`farewell ${text}`),
  close: async () => {},
};

const assign: Assign = {
  type: 'assign',
  placement: { sessionId: 'session', epoch: 1 },
  transport: 'mediaserver',
  room: { url: 'ws://room', token: 'token' },
  avatarId: 'mira',
  video: { width: 512, height: 512, fps: 25 },
  callId: 'call-1',
};

async function open({ brief }: { brief: Partial<CallBrief> }): Promise<void> {
  conversation = new Conversation(
    assign,
    { renewed: () => {}, speechProgressed: () => {}, record: () => {} },
    {
      clock,
      log,
      control: {
        brief: async () => briefWith(brief),
        keep: async () => {},
        passages: async () => [],
        reportPictureRefusal: async () => {},
        reportSpending: async (totals) => {
          reports.push(totals);
          return allowance;
        },
      },
      voiceOf: () => mute,
      recognizerFor: () => null,
      openRoom: () => ({
        ...deafRoom,
        avatar: new MemoryAvatar(),
        ended: new Promise(() => {}),
        join: async (roomListener) => {
          listener = roomListener;
          listener.user(false);
        },
        tellReady: async () => {},
        close: async () => {},
      }),
      openDialogue: (parts) => {
        dialogue = parts;
        return talk;
      },
      userGraceMs: 60_000,
    },
  );
  await settle();
}

describe('a conversation whose budget is used up', () => {
  const spent = { modelTokens: 0, speechCharacters: 0, texts: 0 };
  const budgetWith = (allowance: CallAllowance) => ({
    budget: { spent, left: allowance, textsPerTenMinutes: 60 },
  });

  test('stops answering, lets the agent finish, says goodbye in its language, and ends', async () => {
    await open({ brief: { language: 'de', ...budgetWith({ modelTokens: 100 }) } });
    listener.user(true);
    await settle();
    isSilent = false;

    dialogue.budget.add({ modelTokens: 100 });
    await clock.pass(5_000);
    expect(steps.slice(-2)).toEqual(['begin', 'hold']);
    isSilent = true;
    await clock.pass(50);

    expect(await conversation.ended).toBe('budget_reached');
    expect(steps).toContainEqual(expect.stringMatching(/^farewell .*auf Wiedersehen/));
  });

  test('interrupts an agent that speaks on', async () => {
    await open({ brief: budgetWith({ speechCharacters: 100 }) });
    listener.user(true);
    await settle();
    isSilent = false;

    dialogue.budget.add({ speechCharacters: 500 });
    await clock.pass(30_000);

    expect(await conversation.ended).toBe('budget_reached');
    expect(steps).toContainEqual(expect.stringMatching(/^farewell .*goodbye/));
  });

  test('says goodbye instead of greeting if nothing is left when it begins', async () => {
    await open({ brief: budgetWith({ modelTokens: 0 }) });
    listener.user(true);
    await settle();

    expect(await conversation.ended).toBe('budget_reached');
    expect(steps).not.toContain('begin');
    expect(steps).toContainEqual(expect.stringMatching(/^farewell /));
  });

  test('learns within a minute that another call has used it up', async () => {
    await open({ brief: budgetWith({ modelTokens: 100 }) });
    listener.user(true);
    await settle();
    allowance = { modelTokens: -5 };

    await clock.pass(60_000);

    expect(await conversation.ended).toBe('budget_reached');
  });

  test('ends when the time that is left is over', async () => {
    await open({ brief: budgetWith({ seconds: 30 }) });
    listener.user(true);
    await settle();
    allowance = { seconds: 0 };

    await clock.pass(29_999);
    expect(steps.at(-1)).toBe('begin');
    await clock.pass(1);

    expect(await conversation.ended).toBe('budget_reached');
  });

  test('reports the rest when it ends', async () => {
    allowance = { modelTokens: 50 };
    await open({ brief: budgetWith({ modelTokens: 100 }) });
    listener.user(true);
    await settle();
    dialogue.budget.add({ modelTokens: 20 });
    await settle();
    dialogue.budget.add({ modelTokens: 5 });

    conversation.end('ended_by_client');
    await conversation.ended;

    expect(reports.at(-1)).toEqual({ ...spent, modelTokens: 25 });
  });

  test('costs nothing while nobody has joined', async () => {
    await open({ brief: budgetWith({ modelTokens: 100 }) });

    await clock.pass(59_000);

    expect(steps).toEqual([]);
    expect(reports).toEqual([]);
  });
});
