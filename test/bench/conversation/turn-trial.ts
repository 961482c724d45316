import { performance } from 'node:perf_hooks';
import { DEFAULT_TURN_TAKING } from '#protocol/voice/turn-taking.ts';
import type { Hearing } from '../../../workers/agent/listening/listener.ts';
import { EchoGate } from '../../../workers/agent/listening/echo-gate.ts';
import { overlapKind } from '../../../workers/agent/listening/overlap.ts';
import {
  advance,
  QUIET,
  type TurnEffect,
  type TurnEvent,
  type TurnState,
} from '../../../workers/agent/listening/turn.ts';
import { turnSettings } from '../../../workers/agent/listening/turn-settings.ts';
import { sentenceEnd } from '../../../workers/agent/listening/sentence-end.ts';
import { UserAudio } from '../../../workers/agent/listening/user-audio.ts';
import { SileroActivity } from '../../../workers/agent/listening/voice-activity.ts';

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

const LANGUAGE = 'en';
const JUDGED_MS = 8_000;

type Due = { atMs: number; event: TurnEvent };

/**
 * Runs the state machine of turns over a sound, faster than it plays. The models' answers arrive
 * as long after their questions as they really took.
 */
export async function runTrial(
  { samples, agentText }: Trial,
  hearing: Hearing,
): Promise<TrialResult> {
  const audio = new UserAudio(60);
  audio.push(samples);
  const settings = turnSettings(DEFAULT_TURN_TAKING, hearing.isLocal);
  const result: TrialResult = { commits: [], interruptedAtMs: null };
  const echo = new EchoGate();
  let state: TurnState = QUIET;
  let isAgentActive = agentText !== null;
  let due: Due[] = [];

  const run = async (event: TurnEvent, atMs: number): Promise<void> => {
    const step = advance(state, event, { settings, isAgentActive });
    state = step.state;
    for (const effect of step.effects) await follow(effect, atMs);
  };
  const follow = async (effect: TurnEffect, atMs: number): Promise<void> => {
    switch (effect.type) {
      case 'interrupt':
        result.interruptedAtMs ??= atMs;
        isAgentActive = false;
        return;
      case 'commit':
        result.commits.push({ atMs, text: effect.text });
        return;
      case 'transcribe': {
        const { id, from, to } = effect;
        const { value: text, tookMs } = await timed(() =>
          hearing.transcribe(audio.between(from, to), new AbortController().signal),
        );
        const kind = overlapKind(text, {
          language: LANGUAGE,
          agentText: agentText ?? '',
          interruptibility: DEFAULT_TURN_TAKING.interruptibility,
          isOver: state.type === 'paused',
        });
        if (kind === 'echo') echo.learn(audio.between(from, to));
        const event = {
          type: 'transcribed',
          id,
          at: atMs + tookMs,
          text,
          kind,
          end: sentenceEnd(text, LANGUAGE),
        } as const;
        due.push({ atMs: atMs + tookMs, event });
        return;
      }
      case 'judge_end': {
        const { id, to } = effect;
        const { value: probability, tookMs } = await timed(
          async () => (await hearing.endOfTurn?.(audio.between(to - JUDGED_MS, to))) ?? 'unknown',
        );
        due.push({
          atMs: atMs + tookMs,
          event: { type: 'judged', id, at: atMs + tookMs, probability },
        });
        return;
      }
      case 'anticipate':
      case 'retract':
        return;
    }
  };

  for await (const { startMs, endMs: at, probability } of new SileroActivity().push(samples)) {
    for (;;) {
      const [next] = due.toSorted((a, b) => a.atMs - b.atMs);
      if (!next || next.atMs > at) break;
      due = due.filter((item) => item !== next);
      await run(next.event, next.atMs);
    }
    const isEcho =
      isAgentActive && !echo.admits(audio.between(startMs, at), state.type !== 'quiet');
    await run({ type: 'audio', at, probability: isEcho ? 0 : probability }, at);
  }
  return result;
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value; tookMs: number }> {
  const from = performance.now();
  const value = await work();
  return { value, tookMs: performance.now() - from };
}
