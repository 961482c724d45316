import { describe, expect, test } from 'vitest';
import type { AnsweredDispatch } from '#protocol/agent-jobs.ts';
import {
  faultsIn,
  progressOf,
  type Fault,
} from '../../../../src/web/console/playground/diagnosis.ts';
import type {
  AgentFacts,
  AvatarFacts,
  Facts,
  Findings,
} from '../../../../src/web/console/playground/facts.ts';
import { faultText } from '../../../../src/web/console/playground/fault-texts.ts';

const agent = (fields: Partial<AgentFacts> = {}): AgentFacts => ({
  identity: 'agent-1',
  state: 'listening',
  hereForMs: 60_000,
  hasVoice: false,
  ...fields,
});
const avatar = (fields: Partial<AvatarFacts> = {}): AvatarFacts => ({
  identity: 'avatar-1',
  speaksFor: 'agent-1',
  hereForMs: 60_000,
  hasVideo: true,
  ...fields,
});
const dispatch = (fields: Partial<AnsweredDispatch> = {}): AnsweredDispatch => ({
  agent_name: '',
  age_ms: 60_000,
  jobs: [],
  refusal: null,
  ...fields,
});
const found = (fields: Partial<Findings> = {}): Findings => ({
  dispatches: [dispatch()],
  sessions: [],
  refusals: [],
  ...fields,
});
/** A room in which everything is fine. */
const facts = (fields: Partial<Facts> = {}): Facts => ({
  joinedForMs: 60_000,
  agents: [agent()],
  avatars: [avatar()],
  hasAgentLeft: false,
  isSeen: true,
  isSoundBlocked: false,
  microphone: null,
  findings: null,
  ...fields,
});
const empty = (fields: Partial<Facts> = {}) =>
  facts({ agents: [], avatars: [], isSeen: false, ...fields });
const withoutAvatar = (fields: Partial<Facts> = {}) =>
  facts({ avatars: [], isSeen: false, ...fields });

const running = { status: 'running', error: '' } as const;
const startingSince = (age_ms: number) =>
  empty({ findings: found({ dispatches: [dispatch({ jobs: [running], age_ms })] }) });
const initializingSince = (hereForMs: number) =>
  facts({ agents: [agent({ state: 'initializing', hereForMs })] });
const unseen = (fields: Partial<AvatarFacts>) =>
  facts({ isSeen: false, avatars: [avatar(fields)] });
const titleFor = (agentName: string) =>
  faultText({ type: 'no_agent', agentName, why: { type: 'not_registered' } }).title;
const ended = {
  id: 'session-1',
  status: 'completed',
  end_reason: 'room_refused',
  end_detail: 'the token has expired',
} as const;

const faultOf = (given: Facts): Fault | undefined => {
  const faults = faultsIn(given);
  expect(faults.length, 'at most one').toBeLessThan(2);
  return faults[0];
};

describe('the diagnosis of a room', () => {
  test('finds nothing wrong with a face that speaks', () => {
    expect(faultsIn(facts())).toEqual([]);
    expect(faultsIn(facts({ findings: found() }))).toEqual([]);
  });

  test('a closed room is all that counts', () => {
    const given = empty({ isSoundBlocked: true, findings: found({ dispatches: null }) });

    expect(faultOf(given)).toEqual({ type: 'room_closed' });
  });

  test('browser faults come along', () => {
    expect(faultOf(facts({ isSoundBlocked: true }))).toEqual({ type: 'sound_blocked' });
    expect(faultOf(facts({ microphone: 'denied' }))).toEqual({
      type: 'microphone',
      problem: 'denied',
    });
  });
});

describe('without an agent, the diagnosis', () => {
  test('waits for one', () => {
    expect(faultsIn(empty({ joinedForMs: 5_000 }))).toEqual([]);
    const fresh = { age_ms: 2_000 };
    const refused = found({ dispatches: [dispatch({ ...fresh, refusal: 'busy' })] });
    expect(faultsIn(empty({ findings: refused }))).toEqual([]);
    expect(faultsIn(empty({ findings: found({ dispatches: [dispatch(fresh)] }) }))).toEqual([]);
  });

  test('knows nothing more of another media server', () => {
    expect(faultOf(empty())).toMatchObject({ type: 'no_agent', why: { type: 'unknown' } });
    expect(faultOf(empty({ findings: found() }))).toMatchObject({ why: { type: 'unknown' } });
  });

  test.for(['busy', 'rejected', 'silent', 'not_registered'] as const)(
    'says soon that the job was refused: %s',
    (refusal) => {
      const newest = dispatch({ agent_name: 'helper', refusal, age_ms: 6_000 });
      const given = empty({ findings: found({ dispatches: [newest, dispatch()] }) });

      expect(faultOf(given)).toEqual({
        type: 'no_agent',
        agentName: 'helper',
        why: { type: refusal },
      });
    },
  );

  test('lets an agent start that took the job', () => {
    expect(faultsIn(startingSince(20_000))).toEqual([]);
    expect(faultOf(startingSince(40_000))).toMatchObject({ why: { type: 'not_joined' } });
  });

  test('counts a job that an earlier request gave', () => {
    const newest = dispatch({ refusal: 'busy', age_ms: 20_000 });
    const dispatches = [newest, dispatch({ jobs: [running] })];

    expect(faultsIn(empty({ findings: found({ dispatches }) }))).toEqual([]);
  });

  test('says that the job failed, with the error', () => {
    const jobs = [{ status: 'failed', error: 'no model' } as const];

    expect(faultOf(empty({ findings: found({ dispatches: [dispatch({ jobs })] }) }))).toMatchObject(
      {
        why: { type: 'failed', error: 'no model' },
      },
    );
  });

  test('says that it left', () => {
    const left = empty({ hasAgentLeft: true });

    expect(faultOf(left)).toMatchObject({ type: 'agent_left', why: { type: 'unknown' } });
    const refusals = [{ status: 402, detail: 'Usage limit exceeded.' }];
    expect(faultOf({ ...left, findings: found({ refusals }) })).toMatchObject({
      type: 'agent_left',
      why: { type: 'refused', status: 402 },
    });
  });
});

describe('with an agent, the diagnosis', () => {
  test('says that there are two', () => {
    expect(faultOf(facts({ agents: [agent(), agent({ identity: 'agent-2' })] }))).toEqual({
      type: 'two_agents',
      identities: ['agent-1', 'agent-2'],
    });
  });

  test('says that it never becomes ready, after a while', () => {
    expect(faultsIn(initializingSince(10_000))).toEqual([]);
    expect(faultOf(initializingSince(30_000))).toEqual({
      type: 'agent_not_ready',
      identity: 'agent-1',
    });
  });

  test('waits for its avatar', () => {
    expect(faultsIn(withoutAvatar({ agents: [agent({ hereForMs: 5_000 })] }))).toEqual([]);
  });

  test('knows nothing of the avatar in a room elsewhere', () => {
    expect(faultOf(withoutAvatar())).toEqual({ type: 'no_avatar', why: { type: 'unknown' } });
  });

  test('says that it asked for no avatar', () => {
    expect(faultOf(withoutAvatar({ findings: found() }))).toEqual({
      type: 'no_avatar',
      why: { type: 'not_requested' },
    });
  });

  test('says why its session was refused', () => {
    const refusals = [{ status: 503, detail: 'Every avatar worker is busy.' }];

    expect(faultOf(withoutAvatar({ findings: found({ refusals }) }))).toEqual({
      type: 'no_avatar',
      why: { type: 'refused', status: 503, detail: 'Every avatar worker is busy.' },
    });
  });

  test('says why its session ended', () => {
    expect(faultOf(withoutAvatar({ findings: found({ sessions: [ended] }) }))).toEqual({
      type: 'no_avatar',
      why: {
        type: 'ended',
        sessionId: 'session-1',
        reason: 'room_refused',
        detail: 'the token has expired',
      },
    });
  });

  test('says that its session did not start', () => {
    const sessions = [
      { ...ended, status: 'to_start', end_reason: null, end_detail: null } as const,
    ];

    expect(faultOf(withoutAvatar({ findings: found({ sessions }) }))).toEqual({
      type: 'no_avatar',
      why: { type: 'not_started', sessionId: 'session-1' },
    });
  });
});

describe('with an avatar, the diagnosis', () => {
  test('says that it speaks for nobody', () => {
    expect(faultOf(facts({ avatars: [avatar({ speaksFor: 'agent-0' })] }))).toEqual({
      type: 'speaks_for_nobody',
      identity: 'avatar-1',
      speaksFor: 'agent-0',
    });
  });

  test('says that the agent speaks past it', () => {
    expect(faultOf(facts({ agents: [agent({ hasVoice: true })] }))).toEqual({
      type: 'voice_beside_avatar',
      identity: 'agent-1',
    });
  });

  test('waits for its picture, then says that none comes', () => {
    expect(faultsIn(unseen({ hereForMs: 5_000 }))).toEqual([]);
    expect(faultOf(unseen({ hasVideo: false }))).toMatchObject({
      type: 'no_picture',
      hasVideo: false,
    });
    expect(faultOf(unseen({}))).toMatchObject({ type: 'no_picture', hasVideo: true });
  });
});

test('the progress of a room follows who is in it', () => {
  expect(progressOf(empty())).toBe('agent');
  const findings = found({ dispatches: [dispatch({ jobs: [running] })] });
  expect(progressOf(empty({ findings }))).toBe('job');
  expect(progressOf(withoutAvatar())).toBe('avatar');
  expect(progressOf(facts({ isSeen: false }))).toBe('picture');
  expect(progressOf(facts())).toBe('done');
});

describe('words for a fault', () => {
  test('name the refusal of a session for which the agent left', () => {
    const fault: Fault = {
      type: 'agent_left',
      why: { type: 'refused', status: 402, detail: 'Usage limit exceeded.' },
    };

    expect(faultText(fault).title).toBe(
      'The agent joined, and left again. This service refused the session (402): Usage limit exceeded.',
    );
  });

  test('explain the end of a session, with its detail', () => {
    const why = { type: 'ended', sessionId: 's', reason: 'room_refused', detail: 'No.' } as const;

    const { title, advice } = faultText({ type: 'no_avatar', why });

    expect(title).toBe('The session of the avatar ended. The room rejected the avatar.');
    expect(advice).toMatch(/^No\. Read `end_detail`/);
  });

  test('name the agent that is not connected', () => {
    expect(titleFor('helper')).toBe('No agent of the name helper is connected.');
    expect(titleFor('')).toBe('No agent is connected for automatic dispatch.');
  });
});
