import { newName } from '#shared/ids.ts';
import { Agent } from '../../bench/rooms/agent.ts';
import { roomToken } from '../../stage/room-token.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import { risingTone } from '../../support/sound/rising-tone.ts';
import type { SessionBody } from '../client.ts';
import { AVATAR } from '../names.ts';
import type { Bounds } from './bounds.ts';
import { countAvatars, gapsIn, seatsIn, seenAgain, type Gap } from './picture.ts';
import { SegmentLedger } from './segment-ledger.ts';
import type { RealStage } from './stage.ts';
import { within } from '../../stage/time-limit.ts';

/** Owner of the room: the agent, as with a published plugin, or the service. */
type RoomOf = 'agent' | 'service';

const FACE = 'avatar';
const SERVICE_FACE = 'troupe-avatar';
const SPEECH_RATE = 24_000;
const LONG_SPEECH_S = 3;
const TOLD_S = 2;
/** Tolerance between the end of the heard and of the spoken sound, in seconds. */
const HEARD_TO_S = 0.35;

/** Where conversations take place. */
type ConversationStage = Pick<RealStage, 'client' | 'mediaServer' | 'rooms' | 'bounds'>;

type OwnRoom = { room: { url: string; agent_token: string; viewer_token: string } };

/** One session with its agent and a viewer. Every segment is reported exactly once, in order. */
export class Conversation {
  readonly id: string;
  readonly viewer: AvatarViewer;
  readonly #agent: Agent;
  readonly #ledger = new SegmentLedger();
  readonly #bounds: Bounds;
  readonly #problems: string[];
  #isOver = false;

  constructor(id: string, { agent, viewer, problems }: Visitors, bounds: Bounds) {
    this.id = id;
    this.#agent = agent;
    this.viewer = viewer;
    this.#problems = problems;
    this.#bounds = bounds;
    void this.#listen();
  }

  /** Resolves when the avatar is visible. */
  static async open(stage: ConversationStage, roomOf: RoomOf): Promise<Conversation> {
    const conversation = await (roomOf === 'agent' ? inAgentsRoom(stage) : inFreshRoom(stage));
    await within(
      stage.bounds.firstFrameMs,
      `first frame of ${conversation.id}`,
      () => conversation.viewer.frames > 0,
    );
    return conversation;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends a long segment, which a fault may cut before anything of it is heard. */
  async begin(): Promise<void> {
    await this.#send(LONG_SPEECH_S, 'perhaps cut');
  }

  /** Sends a long segment; resolves when its beginning is heard. */
  async beginToSpeak(): Promise<void> {
    await this.begin();
    await within(
      this.#bounds.heardMs,
      `${this.id}: the beginning of a long segment is heard`,
      () => (this.viewer.lastHeard() ?? 0) > 0.3,
    );
  }

  /** Resolves when each segment so far is reported as finished. */
  finished(): Promise<void> {
    return within(
      LONG_SPEECH_S * 1_000 + this.#bounds.heardMs,
      `${this.id}: playback_finished of every segment`,
      () => this.#ledger.isSettled,
    );
  }

  /** One segment: it is heard to its end, and its end is reported. */
  async speak(): Promise<void> {
    // A unique length identifies the segment's report.
    const seconds = 1 + (this.#ledger.count % 8) / 20;
    const segment = await this.#send(seconds, 'whole');
    await within(
      this.#bounds.heardMs,
      `${this.id}: segment ${segment} is heard to its end`,
      () => (this.viewer.lastHeard() ?? 0) > seconds - HEARD_TO_S,
    );
    await this.finished();
  }

  /** One segment, whose end is reported. Costs less than listening to it. */
  async tell(): Promise<void> {
    await this.#send(TOLD_S, 'whole');
    await this.finished();
  }

  problems(): string[] {
    const { sights } = this.viewer.faces;
    const problems = [...this.#problems, ...seenAgain(sights), ...this.#ledger.problems];
    return problems.map((problem) => `${this.id}: ${problem}`);
  }

  /** Gaps in the picture so far, including an open one. */
  gapsUntil(nowMs: number): Gap[] {
    return gapsIn(this.viewer.faces.sights, this.#bounds.steadyMs, nowMs);
  }

  /** How many participants have shown the avatar. */
  get seats(): number {
    return seatsIn(this.viewer.faces.sights).length;
  }

  /** The agent and the viewer leave. */
  async leave(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.viewer.leave();
    await this.#agent.leave();
  }

  async #send(seconds: number, expected: 'whole' | 'perhaps cut'): Promise<number> {
    this.viewer.forget();
    const segment = this.#ledger.said(seconds, expected);
    const { completion } = await this.#agent.say(risingTone(SPEECH_RATE, seconds), SPEECH_RATE);
    await completion;
    return segment;
  }

  async #listen(): Promise<never> {
    for (;;) this.#ledger.finished(await this.#agent.nextFinished());
  }
}

type Visitors = ReturnType<typeof visitorsOf>;

/** An agent and a viewer of this avatar, and what the viewer finds wrong in its room. */
function visitorsOf(face: string) {
  const [agent, viewer] = [new Agent(face), new AvatarViewer(face)];
  const problems: string[] = [];
  countAvatars(viewer.room, face, problems);
  return { agent, viewer, problems };
}

async function inAgentsRoom(stage: ConversationStage): Promise<Conversation> {
  const { mediaServer, rooms } = stage;
  const room = newName('room');
  // The server closes an empty room soon; the end of the run checks for leftovers.
  await rooms.createRoom({ name: room, emptyTimeout: 60, departureTimeout: 1 });
  const visitors = visitorsOf(FACE);
  // As with the published plugins, the agent joins before the session is requested.
  const agentToken = await roomToken(mediaServer, room, 'agent', { kind: 'agent' });
  await visitors.agent.join(mediaServer.url, agentToken);
  await visitors.viewer.join(mediaServer.url, await roomToken(mediaServer, room, 'viewer'));
  const token = await roomToken(mediaServer, room, FACE, { kind: 'agent', behalf: 'agent' });
  const { id } = await make(stage, { url: mediaServer.url, token });
  return new Conversation(id, visitors, stage.bounds);
}

async function inFreshRoom(stage: ConversationStage): Promise<Conversation> {
  const { id, room } = await make(stage, {});
  const visitors = visitorsOf(SERVICE_FACE);
  await visitors.agent.join(room.url, room.agent_token);
  await visitors.viewer.join(room.url, room.viewer_token);
  return new Conversation(id, visitors, stage.bounds);
}

async function make(
  stage: Pick<RealStage, 'client'>,
  request: object,
): Promise<SessionBody & OwnRoom> {
  const body = { avatar_id: AVATAR, ...request };
  const answer = await stage.client.call<SessionBody & OwnRoom>('POST', '/v1/sessions', body);
  if (answer?.status !== 201) throw new Error(`a session was refused: ${JSON.stringify(answer)}`);
  return answer.body;
}
