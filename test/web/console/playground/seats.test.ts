import { ParticipantKind, Track, type Room } from 'livekit-client';
import { describe, expect, test } from 'vitest';
import { seatsOf } from '../../../../src/web/console/playground/seats.ts';
import { initialState } from '../../../../src/web/console/playground/playground-room.ts';
import { factsOf } from '../../../../src/web/console/playground/use-facts.ts';

type Joined = { kind?: ParticipantKind; attributes?: object; publishes?: Track.Source[] };

const participant = (
  identity: string,
  { kind = ParticipantKind.STANDARD, attributes = {}, publishes = [] }: Joined = {},
) => ({
  identity,
  kind,
  attributes,
  getTrackPublication: (source: Track.Source) => (publishes.includes(source) ? {} : undefined),
});

const seatsIn = (...others: ReturnType<typeof participant>[]) =>
  seatsOf({
    localParticipant: participant('me'),
    remoteParticipants: new Map(others.map((each) => [each.identity, each])),
  } as unknown as Room);

const agent = participant('agent-1', {
  kind: ParticipantKind.AGENT,
  attributes: { 'lk.agent.state': 'listening' },
});
const avatar = participant('avatar-1', {
  kind: ParticipantKind.AGENT,
  attributes: { 'lk.publish_on_behalf': 'agent-1' },
  publishes: [Track.Source.Camera, Track.Source.Microphone],
});

describe('the participants of a room', () => {
  test('are the visitor, agents, avatars and others', () => {
    const seats = seatsIn(agent, avatar, participant('somebody'));

    expect(seats.map(({ identity, role }) => `${identity} ${role}`)).toEqual([
      'me you',
      'agent-1 agent',
      'avatar-1 avatar',
      'somebody other',
    ]);
    expect(seats[1]).toMatchObject({ state: 'listening', hasAudio: false });
    expect(seats[2]).toMatchObject({ speaksFor: 'agent-1', hasVideo: true, hasAudio: true });
  });

  test('include agents that join as ordinary participants', () => {
    const bot = participant('bot', { publishes: [Track.Source.Microphone] });
    const face = participant('face', { attributes: { 'lk.publish_on_behalf': 'bot' } });

    expect(seatsIn(bot, face)[1]).toMatchObject({ role: 'agent', hasAudio: true, state: null });
  });

  test('become facts with the time that they are here', () => {
    const seats = seatsIn(agent, avatar);
    const since = new Map([
      ['me', 1_000],
      ['agent-1', 3_000],
    ]);

    expect(factsOf({ ...initialState, seats, since }, null, 5_000)).toMatchObject({
      joinedForMs: 4_000,
      agents: [{ identity: 'agent-1', state: 'listening', hereForMs: 2_000, hasVoice: false }],
      avatars: [{ identity: 'avatar-1', speaksFor: 'agent-1', hereForMs: 0, hasVideo: true }],
      microphone: null,
      findings: null,
    });
  });
});
