import { describe, expect, test } from 'vitest';
import { noticeOfEnding } from '../../../../src/web/try/notices.ts';
import {
  advance,
  initialState,
  sentenceAt,
  type TryEvent,
  type TryState,
} from '../../../../src/web/try/session/try-state.ts';

const mira = { id: 'n', name: 'Mira', picture: null, voice: null };
const stateAfter = (...events: TryEvent[]): TryState => events.reduce(advance, initialState);

const live: TryEvent[] = [
  { type: 'picked', avatar: mira, transport: 'mediaserver' },
  { type: 'opened', sessionId: 's' },
  { type: 'joined' },
  { type: 'picture', afterMs: 420 },
];
const hello: TryEvent[] = [
  { type: 'typed', id: 1, text: 'Hello. It is me.' },
  { type: 'synthesised', id: 1, text: 'Hello.', seconds: 0.8 },
  { type: 'synthesised', id: 1, text: 'It is me.', seconds: 1.2 },
];

describe('try page', () => {
  test('a picked avatar is live with its first picture', () => {
    expect(stateAfter(...live.slice(0, 3)).phase).toMatchObject({
      type: 'connecting',
      step: 'waiting',
    });
    expect(stateAfter(...live).phase).toEqual({
      type: 'live',
      avatar: mira,
      firstPictureMs: 420,
      presence: 'here',
    });
  });

  test('a recovered avatar is here again, and keeps the time of its first picture', () => {
    const state = stateAfter(
      ...live,
      { type: 'presence', presence: 'away' },
      { type: 'picture', afterMs: 9000 },
    );

    expect(state.phase).toMatchObject({ presence: 'here', firstPictureMs: 420 });
  });

  test('an utterance waits, is spoken, and ends where the avatar reports', () => {
    const speaking = stateAfter(...live, ...hello, { type: 'started', id: 1 });
    const state = advance(speaking, {
      type: 'finished',
      id: 1,
      heardSeconds: 2,
      isInterrupted: false,
    });

    expect(stateAfter(...live, ...hello).utterances[0]?.status).toBe('waiting');
    expect(speaking.utterances[0]?.status).toBe('speaking');
    expect(state.utterances[0]).toMatchObject({ status: 'said', seconds: 2, heardSeconds: 2 });
  });

  test('the caption is the sentence being spoken', () => {
    const [utterance] = stateAfter(...live, ...hello).utterances;

    expect(utterance && [0, 0.7, 0.8, 1.9].map((at) => sentenceAt(utterance, at))).toEqual([
      'Hello.',
      'Hello.',
      'It is me.',
      'It is me.',
    ]);
  });

  test('a late report does not change a finished utterance', () => {
    const cut = stateAfter(...live, ...hello, {
      type: 'finished',
      id: 1,
      heardSeconds: 0.5,
      isInterrupted: true,
    });

    expect(advance(cut, { type: 'started', id: 1 }).utterances[0]?.status).toBe('cut');
  });

  test('the end of a session cuts pending utterances and shows the reason', () => {
    const state = stateAfter(...live, ...hello, {
      type: 'over',
      notice: noticeOfEnding('time_limit'),
    });

    expect(state.phase).toMatchObject({ type: 'over', notice: { title: 'Time is up' } });
    expect(state.utterances[0]?.status).toBe('cut');
  });

  test('only the first reason counts', () => {
    const endState = stateAfter(...live, { type: 'over', notice: noticeOfEnding('worker_lost') });

    expect(advance(endState, { type: 'over', notice: noticeOfEnding('room_closed') })).toBe(
      endState,
    );
  });

  test('leaving shows the avatars again', () => {
    expect(stateAfter(...live, ...hello, { type: 'left' })).toEqual(initialState);
  });

  test('only the latest wire messages are kept', () => {
    const lines = Array.from({ length: 70 }, (_, index): TryEvent => ({
      type: 'wire',
      line: { atMs: index, from: 'agent', text: 'x' },
    }));

    const { wire } = stateAfter(...live, ...lines);

    expect(wire).toHaveLength(60);
    expect(wire.at(-1)).toMatchObject({ id: 70, atMs: 69 });
  });
});
