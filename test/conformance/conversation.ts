import { AGENT_LISTENING, AGENT_STATE } from '#protocol/room-terms.ts';
import { Agent } from '../bench/rooms/agent.ts';
import { AvatarViewer } from '../support/picture/avatar-viewer.ts';
import { risingTone } from '../support/sound/rising-tone.ts';
import type { Segment } from './judgement/playback.ts';
import type { NewSession, Stage } from './stage.ts';
import { inTime, within } from '../stage/time-limit.ts';

/** Identity of the avatar in rooms of the built-in media server. */
export const FACE = 'troupe-avatar';
export const SPEECH_RATE = 24_000;
/** From the request to the first frame. */
const FIRST_FRAME_MS = 20_000;
/** From the end of a segment to its report. */
const REPORT_MS = 8_000;

/** A session with its agent and, as a viewer, a viewer. Leave it in the end. */
export class Conversation {
  readonly id: string;
  readonly agent = new Agent(FACE);
  readonly viewer = new AvatarViewer(FACE);
  /** Everything said, in order. */
  readonly segments: Segment[] = [];
  readonly #stage: Stage;
  readonly #room: string;

  /** Resolves when the face is visible and the session runs. */
  static async open(stage: Stage, avatarId: string): Promise<Conversation> {
    const session = await stage.open(avatarId);
    const conversation = new Conversation(stage, session);
    try {
      await conversation.#join(session);
      return conversation;
    } catch (error) {
      await conversation.leave();
      throw error;
    }
  }

  private constructor(stage: Stage, { id, room }: NewSession) {
    this.#stage = stage;
    this.id = id;
    this.#room = room.name;
  }

  /** Says the rising tone; resolves when all of it has been sent. */
  async say(seconds: number, sound = risingTone(SPEECH_RATE, seconds)): Promise<void> {
    this.segments.push({ seconds, isCut: false });
    const { completion } = await this.agent.say(sound, SPEECH_RATE);
    await completion;
  }

  /** Resolves when every segment so far has been reported as finished. */
  async finished(patienceMs: number): Promise<void> {
    await within(patienceMs, 'playback_finished for every segment', () => this.#isReported());
  }

  /** Says the rising tone to its end. */
  async sayAll(seconds: number): Promise<void> {
    await this.say(seconds);
    await this.finished(seconds * 1000 + REPORT_MS);
  }

  /** Interrupts the last segment. Returns how long its report took, in milliseconds. */
  async interrupt(): Promise<number> {
    this.segments.at(-1)!.isCut = true;
    const calledMs = performance.now();
    await inTime(REPORT_MS, 'an answer to lk.clear_buffer', this.agent.clear());
    await this.finished(REPORT_MS);
    return performance.now() - calledMs;
  }

  async hears(seconds: number): Promise<void> {
    await this.viewer.hears(seconds, seconds * 1000 + REPORT_MS).catch((cause: unknown) => {
      throw new Error(`${seconds} s of the speech are not heard`, { cause });
    });
  }

  async isSilent(): Promise<void> {
    await this.viewer.hearsNothingFor(0.5).catch((cause: unknown) => {
      throw new Error('the face does not fall silent', { cause });
    });
  }

  async isOver(patienceMs: number): Promise<string> {
    let reason = '';
    await within(patienceMs, 'the session is completed', async () => {
      const { status, end_reason: why = '' } = await this.#stage.find(this.id);
      reason = why;
      return status.type === 'completed';
    });
    return reason;
  }

  /** rtc-node's disconnect may never end (`leave.ts`), so the media server makes sure. */
  async agentLeaves(): Promise<void> {
    await this.agent.leave();
    await this.#stage.removeAgent(this.#room);
  }

  async leave(): Promise<void> {
    await Promise.all([this.viewer.leave(), this.agent.leave()]);
  }

  /** Ends the session, as its client does. */
  async close(): Promise<void> {
    await this.#stage.end(this.id);
    await this.leave();
  }

  #isReported(): boolean {
    return this.agent.finished.length >= this.segments.length;
  }

  async #join({ room }: NewSession): Promise<void> {
    await this.agent.join(room.url, room.agent_token);
    // As agents of LiveKit do. The media server announces it at once; a participant without tracks
    // only every three seconds, and never if it has left by then.
    await this.agent.room.localParticipant!.setAttributes({ [AGENT_STATE]: AGENT_LISTENING });
    await this.viewer.join(room.url, room.viewer_token);
    await within(FIRST_FRAME_MS, 'the first frame at the viewer', () => this.viewer.frames > 0);
    await within(FIRST_FRAME_MS, 'the worker reports `started`', async () => {
      const { status, end_reason: why } = await this.#stage.find(this.id);
      if (status.type === 'completed') throw new Error(`the session ended: ${why}`);
      return status.type === 'ongoing';
    });
  }
}
