import { inference, llm, voice, type stt } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';
import { delay, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { CallBrief } from '#protocol/call-brief.ts';
import type { CallControl } from '../call-control.ts';
import type { Face, Finished } from '../speech/face.ts';
import { FaceOutput } from '../speech/face-output.ts';
import { heardText, secondsToSentenceEnd, unheardText } from '../speech/heard.ts';
import { latencyOf } from './latency.ts';
import type { Lines } from '../lines.ts';
import { asStream, ManagedAgent } from './managed-agent.ts';
import { instructionsOf, modelOf } from './model.ts';
import { phrasesIn } from './phrases.ts';
import { Responder } from './responder.ts';
import { speakText } from '../speech/speaking.ts';
import { Utterance, type Asked } from '../speech/utterance.ts';
import type { Voice } from '../voices/voice.ts';

export type DialogueParts = {
  brief: CallBrief;
  control: Pick<CallControl, 'passages'>;
  lines: Pick<Lines, 'add'>;
  face: Face;
  voice: Voice;
  /** Null: it understands text only. */
  hearing: stt.STT | null;
  clock: Clock;
  log: Log;
  /** Absent: nothing of it is shown in a room. */
  room?: Room;
};

/** Of characters: more is no question, and a model is paid by them. */
const MAX_QUESTION = 4_000;
/** So long somebody must speak over the agent to silence it: it is speech then, and no noise. What hearers have buffered comes on top, but in the room page. */
const INTERRUPTING_SPEECH_MS = 120;
const LLM_TRIES = { maxRetry: 1, retryIntervalMs: 500, timeoutMs: 10_000 };

/** What is said in one call, by both: the framework's session with our voices, knowledge and face, and every line of it on its way to the record. */
export class Dialogue {
  readonly #parts: DialogueParts;
  readonly #session: voice.AgentSession;
  readonly #agent: ManagedAgent;
  /** What the brief knew. */
  readonly #history: llm.ChatContext;
  readonly #output: FaceOutput;
  readonly #roomIo: voice.RoomIO | null;
  readonly #typed = new Set<string>();
  /** What was written to us, and to nobody before. */
  readonly #read = new Set<string>();
  /** What the next answer answers. */
  #asked: Asked | null = null;
  #speaking: Utterance | null = null;
  /** Heard or cut, and not yet a line. */
  #over: { utterance: Utterance; byFace: boolean } | null = null;
  #isHeld = false;
  #closing: Promise<void> | null = null;

  constructor(parts: DialogueParts) {
    const { brief, control, face, hearing, clock, log, room } = parts;
    this.#parts = parts;
    this.#output = new FaceOutput({
      face,
      clock,
      log,
      onBegun: (utterance) => {
        this.#speaking = utterance;
        this.#over = null;
      },
      onOver: (utterance, byFace) => {
        if (this.#speaking === utterance) this.#speaking = null;
        this.#over = { utterance, byFace };
      },
    });
    this.#session = openSession(answerer(brief, control), hearing);
    this.#session.output.audio = this.#output;
    this.#history = historyOf(brief);
    this.#agent = new ManagedAgent({
      instructions: instructionsOf(brief),
      history: this.#history,
      passages: brief.llm && brief.hasKnowledge ? (text) => control.passages(text) : null,
      speak: (text, signal) => this.#speak(text, this.#takeAsked(), signal),
    });
    this.#listen();
    this.#roomIo = room ? this.#inRoom(room) : null;
  }

  async start(): Promise<void> {
    // In this order, as the framework does it: who listens later hears nothing.
    this.#session.updateAgent(this.#agent);
    this.#roomIo?.start();
    await this.#session.start({ agent: this.#agent, record: false });
  }

  /**
   * The first word: the greeting, or the answer to what nobody has answered. `lines`: what was said by now, which is more than the brief knew
   * when somebody spoke to the worker before while we came.
   */
  async begin(lines: CallBrief['lines'] = this.#parts.brief.lines): Promise<void> {
    const { brief } = this.#parts;
    const last = lines.at(-1);
    if (!last) return this.say(brief.greeting ?? phrasesIn(brief.language).greeting);
    const missed = lines.slice(brief.lines.length).filter(({ text }) => !this.#read.has(text));
    if (missed.length > 0) await this.#learn(missed);
    // Who has asked us meanwhile is being answered, by a model that knows what was asked before.
    if (last.sender === 'user' && this.#read.size === 0) this.#session.generateReply();
  }

  /** The user wrote this. */
  ask(text: string): void {
    const { clock, lines } = this.#parts;
    const question = text.trim().slice(0, MAX_QUESTION);
    if (question === '' || this.#closing) return;
    lines.add({ sender: 'user', text: question }, clock.elapsed());
    this.#read.add(question);
    // Whoever takes over finds it unanswered.
    if (this.#isHeld) return;
    this.#asked = { at: clock.elapsed(), transcriptMs: null };
    const message = llm.ChatMessage.create({ role: 'user', content: question });
    this.#typed.add(message.id);
    this.#session.interrupt();
    this.#session.generateReply({ userInput: message });
  }

  say(text: string): void {
    if (this.#isHeld || this.#closing) return;
    const audio = asStream((signal) => this.#speak(once(text), null, signal));
    try {
      this.#session.say(text, { audio });
    } catch (error) {
      // Said by a timer, or by another error: the session may be over by then.
      this.#parts.log.warn({ err: error }, 'nothing could be said any more');
    }
  }

  get isSilent(): boolean {
    return this.#speaking === null && this.#session.agentState === 'listening';
  }

  playbackStarted(): void {
    this.#output.started();
  }

  playbackFinished(finished: Finished): void {
    this.#output.finished(finished);
  }

  /** Resolves where no sentence is cut, at the latest after `withinMs`. */
  async sentenceEnd(withinMs: number): Promise<void> {
    const { clock } = this.#parts;
    const { spoken = [], startedAt = null } = this.#speaking ?? {};
    if (startedAt === null) return;
    const leftSeconds = secondsToSentenceEnd(spoken, (clock.elapsed() - startedAt) / 1000);
    await delay(clock, Math.min(leftSeconds * 1000, withinMs));
  }

  /** Says nothing any more, and begins nothing: another worker will. */
  hold(): void {
    this.#isHeld = true;
    this.#session.input.setAudioEnabled(false);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // What sounds is cut by the session's own end, and becomes a line as far as it was heard.
    await this.#session.close();
    this.#output.close();
    await this.#roomIo?.close();
  }

  async *#speak(text: AsyncIterable<string>, asked: Asked | null, signal: AbortSignal) {
    const { voice: speaker, clock } = this.#parts;
    const utterance = new Utterance(asked);
    yield* speakText(text, { utterance, voice: speaker, clock, signal });
  }

  /** Right after what the brief knew. */
  async #learn(missed: CallBrief['lines']): Promise<void> {
    const context = this.#agent.chatCtx.copy();
    const createdAt = this.#history.items.at(-1)?.createdAt ?? 0;
    for (const { sender, text } of missed)
      context.addMessage({ ...messageOf(sender, text), createdAt });
    await this.#agent.updateChatCtx(context);
  }

  #takeAsked(): Asked | null {
    const asked = this.#asked;
    this.#asked = null;
    return asked;
  }

  #listen(): void {
    const { log, brief } = this.#parts;
    this.#session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
      if (item.type !== 'message') return;
      if (item.role === 'user') this.#heardUser(item);
      if (item.role === 'assistant') this.#wasHeard(item);
    });
    this.#session.on(voice.AgentSessionEventTypes.Error, ({ error }) => {
      const { type, recoverable } = error as { type?: string; recoverable?: boolean };
      if (recoverable) return;
      if (type === 'stt_error')
        return log.error(
          { err: error },
          'speech recognition failed: the agent did not hear its user',
        );
      if (type !== 'llm_error') return;
      log.error(
        { err: error },
        'the language model gave no answer: look at the external API of this agent, its url, key and model',
      );
      this.say(phrasesIn(brief.language).sorry);
    });
  }

  /** What was typed is a line already. */
  #heardUser(item: llm.ChatMessage): void {
    if (this.#typed.delete(item.id)) return;
    const { clock, lines } = this.#parts;
    const { startedSpeakingAt, stoppedSpeakingAt, transcriptionDelay } = item.metrics ?? {};
    lines.add({ sender: 'user', text: item.textContent ?? '' }, this.#elapsedAt(startedSpeakingAt));
    this.#asked = {
      at: stoppedSpeakingAt === undefined ? clock.elapsed() : this.#elapsedAt(stoppedSpeakingAt),
      transcriptMs: transcriptionDelay === undefined ? null : transcriptionDelay * 1000,
    };
  }

  /** The framework keeps all that was to be said; what was not heard was not said. */
  #wasHeard(item: llm.ChatMessage): void {
    const { clock, lines } = this.#parts;
    const over = this.#over;
    this.#over = null;
    const utterance = over?.utterance;
    const positionSeconds = utterance?.heardSeconds ?? 0;
    if (utterance?.isCut) item.content = [heardText(utterance.spoken, positionSeconds)];
    lines.add(
      {
        sender: 'ai',
        text: item.textContent ?? '',
        ...(utterance?.asked && { latency: latencyOf(utterance, utterance.asked) }),
      },
      utterance?.startedAt ?? clock.elapsed(),
    );
    if (!utterance || !over.byFace) return;
    const rest = unheardText(utterance.spoken, positionSeconds);
    if (rest !== '') this.say(rest);
  }

  #elapsedAt(wallSeconds: number | undefined): number {
    const { clock } = this.#parts;
    return wallSeconds === undefined
      ? clock.elapsed()
      : clock.elapsed() - (clock.now() - wallSeconds * 1000);
  }

  /**
   * Beside the session, not given to it: with a room the framework opens a remote control of the whole session to the user, who could read the
   * agent's prompt with it.
   */
  #inRoom(room: Room): voice.RoomIO {
    const { brief, hearing } = this.#parts;
    return new voice.RoomIO({
      agentSession: this.#session,
      room,
      participant: brief.user.identity,
      inputOptions: {
        participantIdentity: brief.user.identity,
        audioEnabled: hearing !== null,
        closeOnDisconnect: false,
        textInputCallback: (_session, { text }) => this.ask(text),
      },
      outputOptions: { audioEnabled: false },
    });
  }
}

const answerer = (brief: CallBrief, control: Pick<CallControl, 'passages'>): llm.LLM =>
  brief.llm
    ? modelOf(brief.llm)
    : new Responder({
        ...brief,
        passages: async (question) => (brief.hasKnowledge ? control.passages(question) : []),
      });

function openSession(answers: llm.LLM, hearing: stt.STT | null): voice.AgentSession {
  return new voice.AgentSession({
    llm: answers,
    ...(hearing && { stt: hearing }),
    vad: hearing ? new inference.VAD({ model: 'silero' }) : null,
    turnHandling: {
      turnDetection: hearing ? 'vad' : 'manual',
      interruption: {
        mode: 'vad',
        minDuration: INTERRUPTING_SPEECH_MS,
        resumeFalseInterruption: false,
      },
    },
    userAwayTimeout: null,
    // Browsers take the agent's own sound out of the microphone: nobody has to wait before interrupting.
    aecWarmupDuration: null,
    connOptions: {
      llmConnOptions: LLM_TRIES,
      // A model that is away for a while is no reason to end a call.
      maxUnrecoverableErrors: Number.MAX_SAFE_INTEGER,
    },
  });
}

function historyOf({ lines }: CallBrief): llm.ChatContext {
  const history = llm.ChatContext.empty();
  for (const { sender, text } of lines) history.addMessage(messageOf(sender, text));
  return history;
}

const messageOf = (sender: 'ai' | 'user', content: string) =>
  ({ role: sender === 'ai' ? 'assistant' : 'user', content }) as const;

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
