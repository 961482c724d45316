import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EndReason } from '#protocol/end-reasons.ts';
import { createLog } from '#shared/log.ts';
import type { CallBrief, CallLine } from '#protocol/call-brief.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import { CallRefused } from '../../../workers/agent/call-control.ts';
import { RoomClosed, type CallRoomListener } from '../../../workers/agent/call-room.ts';
import { Conversation, type ConversationDialogue } from '../../../workers/agent/conversation.ts';
import type { DialogueParts } from '../../../workers/agent/dialogue/dialogue.ts';
import { mute } from '../../../workers/agent/voices/voice.ts';
import { CannotPerform } from '../../../workers/runtime/performance.ts';
import { briefWith } from '../../support/agents/call-brief.ts';
import { deafRoom, MemoryAvatar } from '../../support/agents/memory-avatar.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

const log = createLog({ name: 'test', level: 'silent' });

let clock: TestClock;
let avatar: MemoryAvatar;
let roomEnd: PromiseWithResolvers<EndReason>;
let listener: CallRoomListener;
let dialogue: DialogueParts;
let savedLines: CallLine[];
/** Actions of the conversation, in order. */
let done: string[];
let isSilent: boolean;
let conversation: Conversation;
let onStart: () => Promise<void>;
let onTell: () => Promise<void>;
let onKeep: () => Promise<void>;
let roomRefusal: Error | undefined;
/** The lines passed to the dialogue's `begin`. */
let begunWith: CallBrief['lines'] | undefined;
/** Differences of all briefs after the first. */
let later: Partial<CallBrief> | Error;

beforeEach(() => {
  clock = new TestClock();
  avatar = new MemoryAvatar();
  roomEnd = Promise.withResolvers();
  savedLines = [];
  done = [];
  isSilent = true;
  onStart = async () => {};
  onTell = async () => {};
  onKeep = async () => {};
  begunWith = undefined;
  later = {};
});
afterEach(async () => {
  conversation.drop();
  await conversation.close();
  expect(clock.waiting).toBe(0);
});

const talk: ConversationDialogue = {
  start: async () => {
    await onStart();
    done.push('start');
  },
  begin: async (lines) => {
    done.push('begin');
    begunWith = lines;
  },
  ask: (text) => void done.push(`ask ${text}`),
  say: (text) => void done.push(`say ${text}`),
  get isSilent() {
    return isSilent;
  },
  playbackStarted: () => {},
  playbackFinished: () => {},
  sentenceEnd: async () => void done.push('sentence end'),
  hold: () => void done.push('hold'),
  farewell: async (text) => void done.push(`farewell ${text}`),
  close: async () => void done.push('close'),
};

type Given = { brief?: Partial<CallBrief>; epoch?: number; refuses?: Error; roomRefuses?: Error };

async function open({ brief = {}, epoch = 1, refuses, roomRefuses }: Given = {}): Promise<void> {
  roomRefusal = roomRefuses;
  const assign: Assign = {
    type: 'assign',
    placement: { sessionId: 'session', epoch },
    transport: 'mediaserver',
    room: { url: 'ws://room', token: 'token' },
    avatarId: 'mira',
    video: { width: 512, height: 512, fps: 25 },
    callId: 'call-1',
  };
  let briefs = 0;
  conversation = new Conversation(
    assign,
    {
      renewed: (token) => done.push(`renewed ${token}`),
      speechProgressed: () => {},
      record: () => {},
    },
    {
      clock,
      log,
      control: {
        brief: async () => {
          if (refuses) throw refuses;
          briefs += 1;
          if (briefs === 1) return briefWith(brief);
          if (later instanceof Error) throw later;
          return briefWith({ ...brief, ...later });
        },
        keep: async (_id, line) => {
          await onKeep();
          savedLines.push(line);
        },
        passages: async () => [],
        reportPictureRefusal: async () => {},
        reportSpending: async () => ({}),
      },
      voiceOf: () => mute,
      recognizerFor: () => null,
      openRoom: () => ({
        ...deafRoom,
        avatar,
        ended: roomEnd.promise,
        join: async (roomListener) => {
          if (roomRefusal) throw roomRefusal;
          listener = roomListener;
          listener.user(false);
        },
        tellReady: async (epoch) => {
          done.push(`ready, epoch ${epoch}`);
          await onTell();
        },
        close: async () => void done.push('leave'),
      }),
      openDialogue: (parts) => {
        dialogue = parts;
        return talk;
      },
      userGraceMs: 60_000,
    },
  );
  // A conversation that is given back rejects before the test looks.
  conversation.ended.catch(() => {});
  await settle();
}

describe('a conversation', () => {
  test('joins its room, announces itself, and begins when the user is present', async () => {
    await open();
    await conversation.started;
    expect(done).toEqual(['start', 'ready, epoch 1']);

    listener.user(true);
    await settle();

    expect(done.at(-1)).toBe('begin');
  });

  test('ends a minute after its user left, as of the time the user left', async () => {
    await open();
    listener.user(true);
    clock.advance(10_000);
    listener.user(false);
    clock.advance(50_000);
    listener.user(true);
    listener.user(false);

    await clock.pass(59_999);
    expect(done).not.toContain('leave');
    await clock.pass(1);

    expect(await conversation.ended).toBe('room_empty');
    expect(conversation.endedEarlierMs).toBe(60_000);
  });

  test('passes on what the user types', async () => {
    await open();
    listener.user(true);
    await settle();

    listener.typed('Are you open?');

    expect(done.at(-1)).toBe('ask Are you open?');
  });

  test('keeps what the user types before it can answer', async () => {
    const starting = Promise.withResolvers<void>();
    onStart = () => starting.promise;
    await open();
    listener.typed('Hello?');
    listener.user(true);
    listener.typed('Are you open?');
    await settle();
    expect(done).toEqual([]);

    starting.resolve();
    await settle();

    expect(done).toEqual(['start', 'ready, epoch 1', 'ask Hello?', 'ask Are you open?', 'begin']);
  });

  test('ends after a minute if the user never comes, as of before its start', async () => {
    await open();

    await clock.pass(60_000);

    expect(await conversation.ended).toBe('room_empty');
    expect(conversation.endedEarlierMs).toBeGreaterThan(60_000);
    expect(done).not.toContain('begin');
  });

  test('warns a minute before the time limit, and ends at the end of a sentence', async () => {
    await open({ brief: { leftMs: 300_000, language: 'fr' } });
    listener.user(true);

    await clock.pass(240_000);
    expect(done.at(-1)).toBe('say Il nous reste environ une minute.');
    await clock.pass(60_000);

    expect(await conversation.ended).toBe('time_limit');
    expect(done.slice(done.indexOf('sentence end')).slice(0, 3)).toEqual([
      'sentence end',
      'close',
      'leave',
    ]);
  });

  test('ends when its room closes', async () => {
    await open();

    roomEnd.resolve('room_closed');

    expect(await conversation.ended).toBe('room_closed');
  });

  test('ends when the room refuses it, and is given back when the brief is refused', async () => {
    await open({ roomRefuses: new RoomClosed('token_expired') });
    expect(await conversation.ended).toBe('token_expired');

    await open({ refuses: new CallRefused('404') });
    await expect(conversation.ended).rejects.toBeInstanceOf(CannotPerform);
  });

  test('is given back when the room does not show it within ten seconds', async () => {
    onTell = () => new Promise(() => {});
    await open();
    listener.user(true);
    let isStarted = false;
    void conversation.started.then(() => (isStarted = true));

    await clock.pass(9_999);
    expect(done).not.toContain('leave');
    await clock.pass(1);

    await expect(conversation.ended).rejects.toBeInstanceOf(CannotPerform);
    expect(done).toContain('leave');
    expect(isStarted).toBe(false);
  });

  test('is given back when its dialogue does not start', async () => {
    onStart = () => new Promise(() => {});
    await open();

    await clock.pass(10_000);

    await expect(conversation.ended).rejects.toBeInstanceOf(CannotPerform);
  });

  test('continues when the room has shown it', async () => {
    await open();
    await conversation.started;

    await clock.pass(10_000);

    expect(done).not.toContain('leave');
  });

  test('joins a room without participants again after 20 s, and talks to its user', async () => {
    avatar.isVisible = false;
    await open();
    const steps = ['start', 'ready, epoch 1'];
    await clock.pass(19_999);
    expect(done).toEqual(steps);

    await clock.pass(1);
    listener.user(true);
    await clock.pass(20_000);

    expect(done).toEqual([...steps, 'close', 'leave', ...steps, 'begin']);
  });

  test.each([
    { room: 'shows nobody again', afterMs: 40_000 },
    { room: 'does not admit it', refusal: new RoomClosed('room_refused'), afterMs: 20_000 },
  ])('is given back when the room that it joins again $room', async ({ refusal, afterMs }) => {
    avatar.isVisible = false;
    await open();
    roomRefusal = refusal;

    await clock.pass(afterMs);

    await expect(conversation.ended).rejects.toBeInstanceOf(CannotPerform);
  });

  test.each(['it is taken over', 'the avatar was seen'])('stays when %s', async (event) => {
    avatar.isVisible = false;
    await open();
    if (event === 'it is taken over') await conversation.release(0);
    else avatar.awaited[0]!.show();

    await clock.pass(20_000);

    expect(done).not.toContain('leave');
  });

  test('ends when the last line is saved', async () => {
    await open();
    const keeping = Promise.withResolvers<void>();
    onKeep = () => keeping.promise;
    dialogue.lines.add({ sender: 'user', text: 'Bye.' }, clock.elapsed());
    let isOver = false;
    void conversation.ended.then(() => (isOver = true));

    conversation.end('ended_by_client');
    await clock.pass(60_000);
    expect(isOver).toBe(false);
    keeping.resolve();
    await settle();

    expect(isOver).toBe(true);
    expect(savedLines).toHaveLength(1);
    expect(conversation.endedEarlierMs).toBe(60_000);
  });

  test('that takes over first interrupts speech from the previous worker', async () => {
    await open({ epoch: 2, brief: { lines: [{ sender: 'ai', text: 'Hello.' }] } });
    listener.user(true);
    await settle();
    expect(avatar.clears).toBe(1);
    expect(done).not.toContain('begin');

    await clock.pass(500);

    expect(done.at(-1)).toBe('begin');
  });

  test('that takes over knows the lines said during the takeover', async () => {
    const lines = [{ sender: 'ai' as const, text: 'Hello.' }];
    await open({ epoch: 2, brief: { lines } });
    listener.user(true);
    await settle();
    later = { lines: [...lines, { sender: 'user', text: 'Are you open?' }] };

    await clock.pass(500);

    expect(begunWith).toEqual(later.lines);
  });

  test('that takes over uses the first brief when the second one fails', async () => {
    const lines = [{ sender: 'user' as const, text: 'Hello?' }];
    await open({ epoch: 2, brief: { lines } });
    listener.user(true);
    await settle();
    later = new Error('away');

    await clock.pass(500);

    expect(begunWith).toEqual(lines);
  });

  test('that is taken over falls silent between two answers', async () => {
    await open();
    listener.user(true);
    await settle();
    isSilent = false;
    let isReleased: boolean | null = null;
    void conversation.release(5_000).then((isInRoom) => (isReleased = isInRoom));

    await clock.pass(1_000);
    expect(isReleased).toBeNull();
    isSilent = true;
    await clock.pass(50);

    expect(isReleased).toBe(true);
    expect(done.at(-1)).toBe('hold');
    roomEnd.resolve('replaced');
    expect(await conversation.ended).toBe('replaced');
  });

  test('that is not in its room is not handed over', async () => {
    await open({ roomRefuses: new RoomClosed('room_refused') });

    expect(await conversation.release(1_000)).toBe(false);
  });
});
