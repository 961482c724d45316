import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { DEFAULT_TURN_TAKING } from '#protocol/voice/turn-taking.ts';
import { createLog } from '#shared/log.ts';
import { Listener, type Hearing } from '../../../workers/agent/listening/listener.ts';
import { HEARD_RATE } from '../../../workers/agent/listening/user-audio.ts';
import { SileroActivity } from '../../../workers/agent/listening/voice-activity.ts';
import { TestClock } from '../../support/test-clock.ts';

export type Trial = {
  /** Mono, at `HEARD_RATE`. */
  samples: Int16Array<ArrayBuffer>;
  /** The agent's speech throughout. Null: it listens. */
  agentText: string | null;
};

/** Milliseconds of the sound. */
export type TrialResult = {
  commits: { atMs: number; text: string }[];
  interruptedAtMs: number | null;
};

/** As long as a frame of the media server. */
const PIECE_MS = 10;
const PIECE = (HEARD_RATE / 1_000) * PIECE_MS;

/**
 * Plays a sound to a listener, faster than real time. The models' answers arrive as long after
 * their questions as they really took.
 */
export async function runTrial(
  { samples, agentText }: Trial,
  hearing: Hearing,
): Promise<TrialResult> {
  const clock = new TestClock();
  const result: TrialResult = { commits: [], interruptedAtMs: null };
  const computing = new Set<Promise<unknown>>();
  /** Settles with the work, when the sound has played as long as the work really took. */
  const inSoundTime = <Answer>(work: Promise<Answer>): Promise<Answer> => {
    const from = performance.now();
    const answer = Promise.withResolvers<Answer>();
    const computed = work
      .then((value) => clock.after(performance.now() - from, () => answer.resolve(value)))
      .catch(answer.reject)
      .finally(() => computing.delete(computed));
    computing.add(computed);
    return answer.promise;
  };
  const listener = new Listener({
    language: 'en',
    turnTaking: DEFAULT_TURN_TAKING,
    hearing: {
      isLocal: hearing.isLocal,
      ...(hearing.interims && { interims: hearing.interims }),
      transcribe: (...speech) => inSoundTime(hearing.transcribe(...speech)),
      endOfTurn: (sound) => inSoundTime(hearing.endOfTurn!(sound)),
    },
    voiceActivity: new SileroActivity(),
    agent: {
      get isActive() {
        return agentText !== null && result.interruptedAtMs === null;
      },
      text: agentText ?? '',
    },
    listener: {
      interrupted: () => (result.interruptedAtMs ??= clock.elapsed()),
      anticipated: () => {},
      retracted: () => {},
      said: ({ text }) => result.commits.push({ atMs: clock.elapsed(), text }),
      heard: () => {},
    },
    clock,
    log: createLog({ name: 'bench', level: 'warn' }),
  });
  for (let at = 0; at < samples.length; at += PIECE) {
    while (computing.size > 0) await Promise.all(computing);
    clock.advance(PIECE_MS);
    // Lets the listener follow the answers before it hears the next piece.
    await setImmediate();
    await listener.hear(samples.slice(at, at + PIECE));
  }
  listener.close();
  return result;
}
