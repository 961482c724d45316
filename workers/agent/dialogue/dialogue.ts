import { llm, voice } from '@livekit/agents';
import { delay, inTime, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { CallBrief } from '#protocol/call-brief.ts';
import type { CallBudget } from '../call-budget.ts';
import type { CallControl } from '../call-control.ts';
import type { CallRoom } from '../call-room.ts';
import type { PlaybackFinished } from '../speech/avatar-participant.ts';
import { AvatarOutput } from '../speech/avatar-output.ts';
import { heardText, secondsToSentenceEnd, unheardText } from '../speech/heard-text.ts';
import { advance, unrecordedIn, type AgentTurn } from './agent-turn.ts';
import { repeatCurrentLine, type CurrentLine } from './current-line.ts';
import { sendEarlyLines } from './early-lines.ts';
import { latencyOf } from './latency.ts';
import type { Lines } from '../lines.ts';
import type { Hearing, HeardTurn } from '../listening/listener.ts';
import { listen, type Listening } from '../listening/listen.ts';
import { asStream, ManagedAgent } from './managed-agent.ts';
import { instructionsOf } from './model.ts';
import { ModelContext } from './model-context.ts';
import { Sight } from '../sight/sight.ts';
import { phrasesIn } from './phrases.ts';
import { PATIENCE_MS, waitingPart } from './slow-answer.ts';
import { summariser } from './summarise.ts';
import { historyOf, messageOf, openSession } from './session.ts';
import { userRoomIo } from './user-room-io.ts';
import { WakeUp } from './wake-up.ts';
import { speakText } from '../speech/speak-text.ts';
import { Utterance, type QuestionTiming } from '../speech/utterance.ts';
import { countedVoice, type Voice } from '../voices/voice.ts';

export type DialogueParts = {
  brief: CallBrief;
  control: Pick<CallControl, 'passages' | 'reportPictureRefusal'>;
  lines: Pick<Lines, 'add'>;
  /** Without a media server's room, as in tests, the user is neither heard nor seen. */
  room: Pick<CallRoom, 'avatar' | 'sdkRoom'>;
  speech: {
    voice: Voice;
    /** Null: the agent understands text only. */
    hearing: Hearing | null;
    /** How long an answer may take before the agent says that it thinks. */
    patienceMs?: number;
  };
  budget: Pick<CallBudget, 'add' | 'isUsedUp'>;
  clock: Clock;
  log: Log;
};

/**
 * Both sides of one call: the framework's session with our voices, retrieval and avatar. Records
 * every line.
 */
export class Dialogue {
  readonly #parts: DialogueParts;
  readonly #session: voice.AgentSession;
  readonly #agent: ManagedAgent;
  /** Lines from the brief. */
  readonly #history: llm.ChatContext;
  readonly #output: AvatarOutput;
  readonly #roomIo: voice.RoomIO | null;
  /** Null: its model does not get to see the user. */
  readonly #sight: Sight | null;
  readonly #wakeUp: WakeUp;
  #listening: Listening | null = null;
  #currentLine: CurrentLine | null = null;
  /** Messages of the user that the framework has not reported yet, by id. */
  readonly #unanswered = new Map<string, llm.ChatMessage>();
  /** Texts of the user, spoken or typed to this worker. */
  readonly #askedTexts = new Set<string>();
  /** The question for the next answer. */
  #questionTiming: QuestionTiming | null = null;
  #turn: AgentTurn = { type: 'silent' };
  #lastUtterance: Utterance | null = null;
  #isHeld = false;
  #closing: Promise<void> | null = null;

  constructor(parts: DialogueParts) {
    const { brief, control, room, budget, clock, log } = parts;
    const { patienceMs = PATIENCE_MS } = parts.speech;
    this.#parts = parts;
    this.#wakeUp = new WakeUp(brief, clock);
    this.#output = new AvatarOutput({
      avatar: room.avatar,
      clock,
      log,
      onBegun: (utterance) => {
        this.#turn = advance(this.#turn, { type: 'begun', utterance });
        this.#lastUtterance = utterance;
      },
      onOver: (utterance, byAvatar) => {
        this.#turn = advance(this.#turn, { type: 'over', utterance, byAvatar });
      },
    });
    this.#sight = this.#sightOf();
    this.#session = openSession(brief, control, budget, (status) => this.#sight?.refused(status));
    this.#session.output.audio = this.#output;
    this.#history = historyOf(brief);
    this.#agent = new ManagedAgent({
      instructions: instructionsOf(brief),
      history: this.#history,
      passages: brief.llm && brief.hasKnowledge ? (text) => control.passages(text) : null,
      model: brief.llm && {
        context: new ModelContext({ summarise: summariser(brief.llm, budget, clock), clock, log }),
        waiting: { phrase: phrasesIn(brief.language).thinking, patienceMs, clock },
        picture: async () => (await this.#sight?.picture()) ?? null,
      },
      budget,
      sorry: phrasesIn(brief.language).sorry,
      log,
      speak: (text, signal) => this.#speak(text, this.#takeQuestionTiming(), signal),
    });
    this.#listen();
    this.#roomIo = room.sdkRoom
      ? userRoomIo(this.#session, room.sdkRoom, brief.user.identity)
      : null;
  }

  async start(): Promise<void> {
    // The framework's order: later subscribers miss events.
    this.#session.updateAgent(this.#agent);
    this.#startRoom();
    await this.#session.start({ agent: this.#agent, record: false });
    const { hearing } = this.#parts.speech;
    if (hearing) this.#listenTo(hearing);
    this.#sight?.start();
  }

  #sightOf(): Sight | null {
    const { brief, control, room, clock, log } = this.#parts;
    if (!brief.llm?.sees || !room.sdkRoom) return null;
    return new Sight({
      room: room.sdkRoom,
      userIdentity: brief.user.identity,
      onRefused: () => void control.reportPictureRefusal(),
      clock,
      log,
    });
  }

  /** Hears the user once the room is subscribed to the microphone. */
  #listenTo(hearing: Hearing): void {
    const { brief, room, clock, log } = this.#parts;
    if (!room.sdkRoom) return;
    this.#listening = listen({
      brief,
      room: room.sdkRoom,
      hearing,
      session: this.#session,
      agentText: () => this.#lastUtterance?.sentences.map(({ text }) => text).join(' ') ?? '',
      listener: {
        interrupted: () => this.#session.interrupt(),
        anticipated: (text) => this.#anticipate(text),
        retracted: () => this.#agent.retract(),
        said: (turn) => this.#heard(turn),
        heard: (text) => this.#showHeard(text, false),
      },
      clock,
      log,
    });
  }

  /**
   * Greets, or answers an unanswered question. `lines`: all lines so far, including those said to
   * the previous worker after the brief.
   */
  async begin(lines: CallBrief['lines'] = this.#parts.brief.lines): Promise<void> {
    const { brief } = this.#parts;
    const lastLine = lines.at(-1);
    if (!lastLine) return this.#greet();
    const missed = lines
      .slice(brief.lines.length)
      .filter(({ text }) => !this.#askedTexts.has(text));
    if (missed.length > 0) await this.#learn(missed);
    // A question to this worker is already being answered, with the missed lines as context.
    if (lastLine.sender === 'user' && this.#askedTexts.size === 0) this.#session.generateReply();
  }

  /** Handles text typed by the user. */
  ask(text: string): void {
    const at = this.#parts.clock.elapsed();
    this.#take(text, at, { at, transcriptMs: null });
  }

  #heard({ text, startedAt, stoppedAt, isCommand }: HeardTurn): void {
    this.#showHeard(text, true);
    const transcriptMs = this.#parts.clock.elapsed() - stoppedAt;
    const wantsAnswer = !isCommand && this.#wakeUp.wakes(text);
    this.#take(text, startedAt, wantsAnswer ? { at: stoppedAt, transcriptMs } : null);
  }

  /** Records what the user said, and answers it. `timing` null: it wants no answer. */
  #take(text: string, startedAt: number, timing: QuestionTiming | null): void {
    const question = text.trim();
    if (question === '' || this.#closing) return;
    this.#parts.lines.add({ sender: 'user', text: question }, startedAt);
    this.#askedTexts.add(question);
    // The successor finds the line and answers it.
    if (this.#isHeld) return;
    const message = llm.ChatMessage.create({ role: 'user', content: question });
    const chatCtx = this.#contextWithUnanswered();
    this.#unanswered.set(message.id, message);
    if (timing === null) return;
    this.#wakeUp.answered();
    this.#questionTiming = timing;
    this.#session.interrupt();
    this.#session.generateReply({ userInput: message, chatCtx });
  }

  #anticipate(text: string): void {
    if (!this.#parts.brief.llm || this.#isHeld || !this.#wakeUp.wakes(text)) return;
    const context = this.#contextWithUnanswered();
    context.addMessage({ role: 'user', content: text });
    this.#agent.anticipate(context);
  }

  /** The framework adds a message to the history only when it begins to answer. */
  #contextWithUnanswered(): llm.ChatContext {
    const context = this.#agent.chatCtx.copy();
    for (const message of this.#unanswered.values()) context.insert(message);
    return context;
  }

  /** Shows the user's words in the room. */
  #showHeard(transcript: string, isFinal: boolean): void {
    this.#session.emit(
      voice.AgentSessionEventTypes.UserInputTranscribed,
      voice.createUserInputTranscribedEvent({ transcript, isFinal }),
    );
  }

  say(text: string): void {
    if (this.#isHeld || this.#closing) return;
    const audio = asStream((signal) => this.#speak(once(text), null, signal));
    try {
      this.#session.say(text, { audio });
    } catch (error) {
      // Timers and error handlers may speak after the end of the session.
      this.#parts.log.warn({ err: error }, 'the session ended before a phrase was spoken');
    }
  }

  get isSilent(): boolean {
    return this.#turn.type !== 'speaking' && this.#session.agentState === 'listening';
  }

  playbackStarted(): void {
    this.#output.started();
  }

  playbackFinished(finished: PlaybackFinished): void {
    this.#output.finished(finished);
  }

  /** Resolves at the end of the current sentence, or after `withinMs`. */
  async sentenceEnd(withinMs: number): Promise<void> {
    const { clock } = this.#parts;
    if (this.#turn.type !== 'speaking') return;
    const { sentences, startedAt } = this.#turn.utterance;
    if (startedAt === null) return;
    const leftSeconds = secondsToSentenceEnd(sentences, (clock.elapsed() - startedAt) / 1000);
    await delay(clock, Math.min(leftSeconds * 1000, withinMs));
  }

  /** Stops speaking and listening, because another worker takes over. */
  hold(): void {
    this.#isHeld = true;
    this.#listening?.end();
  }

  /** Interrupts the current speech and says a last sentence. Resolves when it was heard. */
  async farewell(text: string, withinMs: number): Promise<void> {
    if (this.#closing) return;
    this.#session.interrupt();
    const audio = asStream((signal) => this.#speak(once(text), null, signal));
    const { clock } = this.#parts;
    const playout = this.#session.say(text, { audio }).waitForPlayout();
    await inTime(clock, withinMs, playout, tooLate);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#listening?.end();
    this.#sight?.close();
    this.#agent.retract();
    // The session interrupts current speech, and the heard part becomes a line.
    await this.#session.close();
    this.#output.close();
    await this.#roomIo?.close();
  }

  /** A greeting after the first answer would be out of place. */
  #greet(): void {
    const { greeting, language } = this.#parts.brief;
    if (this.#askedTexts.size === 0) this.say(greeting ?? phrasesIn(language).greeting);
  }

  async *#speak(
    text: AsyncIterable<string>,
    questionTiming: QuestionTiming | null,
    signal: AbortSignal,
  ) {
    const { brief, speech, budget, clock, log } = this.#parts;
    log.debug({ isAnswer: questionTiming !== null }, 'speech is synthesised');
    const utterance = new Utterance(questionTiming);
    const filler = waitingPart({ phrase: phrasesIn(brief.language).thinking });
    const voice = countedVoice(speech.voice, budget);
    yield* speakText(text, { utterance, voice, filler, clock, signal });
  }

  /** Inserts missed lines after those of the brief. */
  async #learn(missed: CallBrief['lines']): Promise<void> {
    const context = this.#agent.chatCtx.copy();
    const createdAt = this.#history.items.at(-1)?.createdAt ?? 0;
    for (const { sender, text } of missed)
      context.addMessage({ ...messageOf(sender, text), createdAt });
    await this.#agent.updateChatCtx(context);
  }

  #takeQuestionTiming(): QuestionTiming | null {
    const timing = this.#questionTiming;
    this.#questionTiming = null;
    return timing;
  }

  #listen(): void {
    const { log, brief } = this.#parts;
    this.#session.on(voice.AgentSessionEventTypes.AgentStateChanged, ({ newState }) => {
      log.debug({ state: newState }, 'agent state changed');
      if (newState !== 'listening') return;
      const lastSentence = this.#lastUtterance?.sentences.at(-1)?.text ?? '';
      this.#listening?.agentSilent(/[?？]\s*$/.test(lastSentence));
    });
    this.#session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
      if (item.type !== 'message') return;
      if (item.role === 'user') this.#unanswered.delete(item.id);
      if (item.role === 'assistant') this.#wasHeard(item);
    });
    this.#session.on(voice.AgentSessionEventTypes.Error, ({ error }) => {
      const { type, recoverable } = error as { type?: string; recoverable?: boolean };
      if (recoverable) return;
      if (type !== 'llm_error') return;
      log.error(
        { err: error },
        'the language model failed: check the url, key and model of this agent',
      );
      this.say(phrasesIn(brief.language).sorry);
    });
  }

  /**
   * Records the heard part of an answer, and corrects the framework's history, which holds the full
   * text.
   */
  #wasHeard(item: llm.ChatMessage): void {
    const { clock, lines } = this.#parts;
    const endedTurn = unrecordedIn(this.#turn);
    this.#turn = advance(this.#turn, { type: 'recorded' });
    const utterance = endedTurn?.utterance;
    const positionSeconds = utterance?.heardSeconds ?? 0;
    if (utterance?.isCut) item.content = [heardText(utterance.sentences, positionSeconds)];
    // The framework adds the whole text of speech that was interrupted before its first sound.
    if (!utterance && item.interrupted) item.content = [];
    lines.add(
      {
        sender: 'ai',
        text: item.textContent ?? '',
        ...(utterance?.questionTiming && {
          latency: latencyOf(utterance, utterance.questionTiming),
        }),
      },
      utterance?.startedAt ?? clock.elapsed(),
    );
    this.#currentLine?.recorded();
    if (!utterance || !endedTurn.byAvatar) return;
    const unheard = unheardText(utterance.sentences, positionSeconds);
    if (unheard !== '') this.say(unheard);
  }

  #startRoom(): void {
    this.#roomIo?.start();
    const { room, brief, log } = this.#parts;
    const identity = room.sdkRoom?.localParticipant?.identity;
    if (!this.#roomIo || !room.sdkRoom || identity === undefined) return;
    sendEarlyLines(this.#roomIo, identity);
    this.#currentLine = repeatCurrentLine(this.#roomIo, room.sdkRoom, brief.user.identity, log);
  }
}

const tooLate = (): Error => new Error('the last sentence took too long');

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
