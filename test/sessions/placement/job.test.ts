import { describe, expect, test } from 'vitest';
import type { SessionRecord } from '../../../src/records/sessions/sessions.ts';
import { jobOf, requirementsOf } from '../../../src/sessions/placement/job.ts';
import { relayOf } from '../../../src/sessions/creation/relayed-room.ts';
import { pastSession } from '../../support/records/conversations.ts';

const addresses = {
  callerRooms: { addressOf: (url: string) => ({ url, networks: 'of rooms' }) },
  callerBots: { addressOf: (url: string) => ({ url, networks: 'of bots' }) },
};
const session = (fields: Partial<SessionRecord>) =>
  pastSession('account-1', 0, { roomToken: 'the token', ...fields });
const jobFor = (fields: Partial<SessionRecord>) => jobOf(session(fields), null, addresses);

const BOTROOM = {
  transport: 'botroom',
  roomUrl: 'wss://avatars.example/prefix/v1/botrooms/room-1',
} as const;
const BOT = {
  transport: 'botroom',
  builtInRoom: 'room-1',
  roomUrl: 'ws://media.internal',
  speech: { protocol: 'pipecat', url: 'wss://bot.example', token: 'key' },
} as const;
/** As Ojin's clients ask: speech over a socket, the face in their LiveKit room. */
const RELAYED_SPEECH = {
  transport: 'mediaserver',
  roomUrl: 'wss://media.their.example',
  speech: { protocol: 'botroom', url: '/v1/botrooms/room-1', token: 'avatar of room-1' },
} as const;

describe('the job of a worker', () => {
  test('joins a botroom by its path at the control plane', () => {
    const job = jobFor(BOTROOM);

    expect(job).toMatchObject({
      transport: 'botroom',
      room: { url: '/v1/botrooms/room-1', token: 'the token' },
    });
    expect(job.room).not.toHaveProperty('networks');
    expect(job).not.toHaveProperty('speech');
  });

  test('shows the face of a bot in a room of ours, and dials the bot under the policy', () => {
    const job = jobFor(BOT);

    expect(job).toMatchObject({
      transport: 'mediaserver',
      room: { url: 'ws://media.internal', token: 'the token' },
      speech: {
        protocol: 'pipecat',
        url: 'wss://bot.example',
        token: 'key',
        networks: 'of bots',
      },
    });
    expect(job.room).not.toHaveProperty('networks');
  });

  test('takes speech from a botroom of ours at any address', () => {
    expect(jobFor(RELAYED_SPEECH)).toMatchObject({
      transport: 'mediaserver',
      room: { url: 'wss://media.their.example', networks: 'of rooms' },
      speech: RELAYED_SPEECH.speech,
    });
    expect(jobFor(RELAYED_SPEECH).speech).not.toHaveProperty('networks');
  });

  test('names no speech source for a room with an agent', () => {
    expect(jobFor({ transport: 'mediaserver' })).not.toHaveProperty('speech');
  });
});

describe('the requirements of a session', () => {
  test.each([
    ['a botroom', BOTROOM, { transport: 'botroom', hasSpeechSource: false }],
    ['a bot', BOT, { transport: 'mediaserver', hasSpeechSource: true }],
    ['relayed speech', RELAYED_SPEECH, { transport: 'mediaserver', hasSpeechSource: true }],
    ['a room', {}, { transport: 'mediaserver', hasSpeechSource: false }],
  ])('with %s', (_what, fields, requirements) => {
    expect(requirementsOf(session(fields))).toMatchObject(requirements);
  });
});

describe('the relay that ends with the session', () => {
  test.each([
    ['a botroom', BOTROOM, { path: '/v1/botrooms/room-1', token: 'the token' }],
    ['relayed speech', RELAYED_SPEECH, { path: '/v1/botrooms/room-1', token: 'avatar of room-1' }],
    ['a bot', BOT, null],
    ['a room', {}, null],
  ])('of %s', (_what, fields, relay) => {
    expect(relayOf(session(fields))).toEqual(relay);
  });
});
