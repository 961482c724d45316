import { inTime, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { TurnTaking } from '#protocol/voice/turn-taking.ts';
import { EchoGate } from './echo-gate.ts';
import { interrupts, overlapKind } from './overlap.ts';
import { advance, joined, QUIET, type TurnEffect, type TurnEvent, type TurnState } from './turn.ts';
import { turnSettings, type TurnSettings } from './turn-settings.ts';
import { sentenceEnd } from './sentence-end.ts';
import type { Transcript } from './transcript.ts';
import { UserAudio } from './user-audio.ts';
import type { VoiceActivity } from './voice-activity.ts';

/** What a call hears with. Sound is mono, at `HEARD_RATE`. */
export type Hearing = {
  /** A local recogniser costs nothing but time, so each pause is transcribed. */
  readonly isLocal: boolean;
  /** `goesOn`: the user has not paused; later sound repeats this, with more of it. */
  transcribe(
    samples: Int16Array<ArrayBuffer>,
    signal: AbortSignal,
    goesOn?: boolean,
  ): Promise<Transcript>;
  /** How it transcribes speech that goes on, for captions. Absent: it does not. */
  readonly interims?: 'streaming' | 'repeated';
  /** Probability that the turn is over. Null: there is no model. Rejects if it fails. */
  endOfTurn: ((samples: Int16Array<ArrayBuffer>) => Promise<number>) | null;
};

/** What the user said in one turn. Times by the clock's `elapsed`. */
export type HeardTurn = {
  text: string;
  startedAt: number;
  stoppedAt: number;
  /** It only told the agent to be quiet. */
  isCommand: boolean;
};

export type ListenerParts = {
  language: string;
  turnTaking: TurnTaking;
  hearing: Hearing;
  voiceActivity: VoiceActivity;
  agent: {
    /** Whether it speaks or thinks. */
    readonly isActive: boolean;
    /** Its current speech. */
    readonly text: string;
  };
  listener: {
    interrupted(): void;
    /** The answer to this text will probably be wanted. */
    anticipated(text: string): void;
    retracted(): void;
    said(turn: HeardTurn): void;
    /** The words of the turn so far. */
    heard(text: string): void;
  };
  clock: Clock;
  log: Log;
};

/** Longer than the longest speech without a pause. */
const KEPT_SECONDS = 40;
/** The end-of-turn model looks at this much. */
const JUDGED_MS = 8_000;
const TRANSCRIPT_MS = 15_000;
const JUDGEMENT_MS = 1_000;

/** Listens to the user of one call: finds turns, and tells interruptions from asides. */
export class Listener {
  readonly #parts: ListenerParts;
  readonly #settings: TurnSettings;
  readonly #audio = new UserAudio(KEPT_SECONDS);
  readonly #echo = new EchoGate();
  readonly #closed = new AbortController();
  #state: TurnState = QUIET;
  /** The clock's `elapsed` at the start of the audio, from its latest part. */
  #audioStartedAt = 0;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    const { isLocal, interims } = parts.hearing;
    this.#settings = turnSettings(parts.turnTaking, isLocal, interims);
  }

  /** Mono sound at `HEARD_RATE`, in pieces of any size. */
  async hear(samples: Int16Array<ArrayBuffer>): Promise<void> {
    const { agent, clock, voiceActivity } = this.#parts;
    this.#audio.push(samples);
    this.#audioStartedAt = clock.elapsed() - this.#audio.ms;
    for await (const { startMs, endMs: at, probability } of voiceActivity.push(samples)) {
      const isEcho =
        agent.isActive &&
        !this.#echo.admits(this.#audio.between(startMs, at), this.#state.type !== 'quiet');
      this.#on({ type: 'audio', at, probability: isEcho ? 0 : probability });
    }
  }

  /** The user turned the microphone off. */
  muted(): void {
    this.#on({ type: 'muted', at: this.#audio.ms });
  }

  /** `isQuestion`: the last sentence of the agent. */
  agentSilent(isQuestion: boolean): void {
    this.#on({ type: 'agent_silent', at: this.#audio.ms, isQuestion });
  }

  close(): void {
    this.#closed.abort(new Error('the call does not listen any more'));
  }

  #on(event: TurnEvent): void {
    if (this.#closed.signal.aborted) return;
    const { isActive: isAgentActive } = this.#parts.agent;
    const { state, effects } = advance(this.#state, event, {
      settings: this.#settings,
      isAgentActive,
      hasEcho: isAgentActive && this.#echo.hasLearnt,
    });
    this.#state = state;
    for (const effect of effects) this.#run(effect);
  }

  #run(effect: TurnEffect): void {
    const { listener } = this.#parts;
    switch (effect.type) {
      case 'transcribe':
        return void this.#transcribe(effect);
      case 'judge_end':
        return void this.#judge(effect);
      case 'interrupt':
        return listener.interrupted();
      case 'anticipate':
        return listener.anticipated(effect.text);
      case 'retract':
        return listener.retracted();
      case 'commit': {
        const { text, isCommand } = effect;
        const startedAt = this.#audioStartedAt + effect.startedAt;
        const stoppedAt = this.#audioStartedAt + effect.stoppedAt;
        return listener.said({ text, startedAt, stoppedAt, isCommand });
      }
    }
  }

  async #transcribe({
    id,
    from,
    to,
    goesOn,
  }: Extract<TurnEffect, { type: 'transcribe' }>): Promise<void> {
    const { hearing, language, turnTaking, agent, clock, log, listener } = this.#parts;
    const { signal } = this.#closed;
    let transcript: Transcript = { text: '', certainty: 1 };
    try {
      const work = hearing.transcribe(this.#audio.between(from, to), signal, goesOn);
      transcript = await inTime(clock, TRANSCRIPT_MS, work, tooSlow);
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'speech recognition failed');
    }
    const text = transcript.text.trim();
    const isOver = this.#state.type === 'paused';
    const kind = overlapKind(text, {
      language,
      certainty: transcript.certainty,
      agentText: agent.isActive ? agent.text : '',
      interruptibility: turnTaking.interruptibility,
      isOver,
    });
    if (kind === 'echo') this.#echo.learn(this.#audio.between(from, to));
    const isForAgent = !agent.isActive || interrupts(kind);
    const speech = this.#state.type === 'quiet' ? null : this.#state.speech;
    // Not of audio that a pause has sealed meanwhile: its text is part of the earlier one.
    if (speech?.from === from && text !== '' && isForAgent && (isOver || speech.hasFloor))
      listener.heard(joined(speech.earlierText, text));
    this.#on({
      type: 'transcribed',
      id,
      at: this.#audio.ms,
      text,
      kind,
      end: sentenceEnd(transcript, language),
    });
  }

  async #judge({ id, to }: Extract<TurnEffect, { type: 'judge_end' }>): Promise<void> {
    const { hearing, clock, log } = this.#parts;
    let probability: number | 'unknown' = 'unknown';
    try {
      if (hearing.endOfTurn) {
        const work = hearing.endOfTurn(this.#audio.between(to - JUDGED_MS, to));
        probability = await inTime(clock, JUDGEMENT_MS, work, tooSlow);
      }
    } catch (error) {
      log.warn({ err: error }, 'end of turn unknown: waiting for silence');
    }
    this.#on({ type: 'judged', id, at: this.#audio.ms, probability });
  }
}

const tooSlow = (): Error => new Error('the model did not answer in time');
