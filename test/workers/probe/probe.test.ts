import { describe, expect, test } from 'vitest';
import {
  Probe,
  ProbeFailure,
  ServiceRefusal,
  STEPS,
  type ProbeSession,
  type Step,
} from '../../../workers/probe/probe.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

const SESSION: ProbeSession = {
  id: 'session-1',
  room: { url: 'wss://media.example', agentToken: 'agent', viewerToken: 'viewer' },
};
const never = () => new Promise<never>(() => {});

type Behaviour = Partial<Record<Step, () => Promise<void>>> & {
  session?: ProbeSession;
  state?: { status: string; endReason?: string; endDetail?: string };
};

/** A service and a room in which each step takes 100 ms unless the test gives it another way. */
function given({ session = SESSION, state, ...steps }: Behaviour = {}) {
  const clock = new TestClock();
  const done: string[] = [];
  const stop = new AbortController();
  const take = async (step: Step, name: string): Promise<void> => {
    done.push(name);
    await (steps[step]?.() ?? clock.advance(100));
  };
  const api = {
    open: () => take('created', 'open').then(() => session),
    find: async () => state ?? Promise.reject(new Error('unknown')),
    end: () => take('ended', 'end'),
  };
  const room = {
    join: () => take('joined', 'join'),
    firstFrame: () => take('first_frame', 'firstFrame'),
    speak: () => take('speech_heard', 'speak'),
    frameRate: () => 24.96,
    leave: async () => void done.push('leave'),
  };
  const probe = new Probe({ api, room, clock, stepMs: 15_000, signal: stop.signal });
  return { clock, done, stop, probe, api };
}

/** The result, once every pending limit has passed. */
async function resultOf({ probe, clock }: ReturnType<typeof given>) {
  const result = probe.run();
  await settle();
  while (clock.waiting > 0) await clock.pass(15_000);
  return result;
}

describe('a probe', () => {
  test('times each step and ends its session', async () => {
    const stage = given();

    const result = await resultOf(stage);

    expect(result).toEqual({
      sessionId: 'session-1',
      // The first picture counts from the request.
      steps: { created: 100, joined: 100, first_frame: 300, speech_heard: 100, ended: 100 },
      framesPerSecond: 25,
      failure: null,
    });
    expect(stage.done).toEqual(['open', 'join', 'firstFrame', 'speak', 'end', 'leave']);
  });

  test.each([
    ['joined', 'The probe could not join the room within 15 s.'],
    ['first_frame', 'No picture of the avatar came within 15 s.'],
    ['speech_heard', 'The speech was not heard with moving pictures within 15 s.'],
    ['ended', 'The session did not end within 15 s.'],
  ] as const)('fails when the step %s takes too long', async (step, problem) => {
    const stage = given({ [step]: never });

    const result = await resultOf(stage);

    expect(result.failure).toEqual({ step, problem });
    expect(stage.done.slice(-2)).toEqual(['end', 'leave']);
    expect(Object.keys(result.steps)).toEqual(STEPS.filter((each) => each in result.steps));
    expect(result.steps).not.toHaveProperty(step);
  });

  test('ends a session whose creation was not answered', async () => {
    let requestCount = 0;
    const stage = given({
      created: () => ((requestCount += 1) === 1 ? never() : Promise.resolve()),
    });

    const result = await resultOf(stage);

    expect(result).toMatchObject({
      sessionId: 'session-1',
      failure: {
        step: 'created',
        problem: 'The service did not answer the request for a session within 15 s.',
      },
    });
    expect(stage.done).toEqual(['open', 'open', 'end', 'leave']);
  });

  test('gives up on a service that never answers', async () => {
    const stage = given({ created: never });

    const result = await resultOf(stage);

    expect(result).toMatchObject({ sessionId: null, failure: { step: 'created' } });
    expect(stage.done).toEqual(['open', 'open', 'leave']);
  });

  test('does not repeat a refused request', async () => {
    const stage = given({ created: () => Promise.reject(new ServiceRefusal('answered 401: no.')) });

    const result = await resultOf(stage);

    expect(result.failure).toEqual({ step: 'created', problem: 'answered 401: no.' });
    expect(stage.done).toEqual(['open', 'leave']);
  });

  test('says why the session ended by itself', async () => {
    const stage = given({
      first_frame: () => Promise.reject(new ProbeFailure('The media server closed the room.')),
      state: { status: 'completed', endReason: 'room_refused', endDetail: 'token refused' },
    });

    const result = await resultOf(stage);

    expect(result.failure?.problem).toBe(
      'The media server closed the room. The session had ended: room_refused, token refused.',
    );
  });

  test('says that the session has not begun', async () => {
    const result = await resultOf(given({ first_frame: never, state: { status: 'to_start' } }));

    expect(result.failure?.problem).toBe(
      'No picture of the avatar came within 15 s. The session was to_start.',
    );
  });

  test('says that the session could not be ended either', async () => {
    const result = await resultOf(
      given({ speech_heard: never, ended: () => Promise.reject(new Error('connection lost.')) }),
    );

    expect(result.failure).toEqual({
      step: 'speech_heard',
      problem:
        'The speech was not heard with moving pictures within 15 s. It could not be ended either: connection lost.',
    });
  });

  test('needs a room to join', async () => {
    const stage = given({ session: { id: 'session-1', room: null } });

    const result = await resultOf(stage);

    expect(result.failure).toEqual({
      step: 'joined',
      problem: 'The service has no media server of its own.',
    });
    expect(stage.done).toEqual(['open', 'end', 'leave']);
  });

  test('ends its session when it is stopped', async () => {
    const stage = given({ first_frame: never });

    const running = stage.probe.run();
    await settle();
    stage.stop.abort();
    const result = await running;

    expect(result.failure).toEqual({ step: 'first_frame', problem: 'The probe was stopped.' });
    expect(result.steps).toHaveProperty('ended');
    expect(stage.done.slice(-2)).toEqual(['end', 'leave']);
    expect(stage.clock.waiting).toBe(0);
  });

  test('opens nothing once it is stopped', async () => {
    const stage = given({ created: () => Promise.reject(new ServiceRefusal('too late')) });
    stage.stop.abort();

    const result = await resultOf(stage);

    expect(result).toMatchObject({ sessionId: null, failure: { step: 'created' } });
  });
});
