/*
 * An agent worker with scripted conversations: it greets, and answers each typed line by confirming
 * that it was read. Everything else is real: placement by the control plane, the room, the avatar
 * that speaks, and captions as LiveKit's components expect them.
 */
import { Room, RoomEvent } from '@livekit/rtc-node';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import {
  AGENT_LISTENING,
  AGENT_STATE,
  CHAT_TOPIC,
  HEARS,
  PLAYBACK_FINISHED,
  RPC_OK,
  SPEECH_CHANNELS,
  SPEECH_RATE,
  SPEECH_TOPIC,
  TRANSCRIPTION_TOPIC,
} from '#protocol/room-terms.ts';
import { babble, bytesOf } from '../../bench/rooms/speech.ts';
import type { RunningService } from '../processes/service.ts';
import { SimulatedWorker } from '../simulated-worker.ts';
import { leave } from '../leave.ts';

const FACE = 'avatar_worker';
const RATE = 24_000;
const MS_PER_LETTER = 60;

export type Script = { greeting: string; answer: (text: string) => string };

export class ScriptedAgents {
  /** Whether calls that begin from now on report that they understand speech. */
  hears = true;
  readonly #worker: SimulatedWorker;
  readonly #script: Script;
  readonly #rooms = new Set<Room>();
  #isClosed = false;

  private constructor(worker: SimulatedWorker, script: Script) {
    this.#worker = worker;
    this.#script = script;
  }

  /** Holds any number of calls until closed. */
  static async join(
    { address }: Pick<RunningService, 'address'>,
    token: string,
    script: Script,
  ): Promise<ScriptedAgents> {
    const worker = new SimulatedWorker({
      url: address,
      token,
      kind: 'agent',
      slots: 50,
      abilities: ['hears'],
    });
    const agents = new ScriptedAgents(await worker.join(), script);
    void agents.#perform();
    return agents;
  }

  /** Speech recognition becomes ready while calls run. */
  async hear(): Promise<void> {
    this.hears = true;
    for (const { localParticipant } of this.#rooms)
      await localParticipant!.setAttributes({ [HEARS]: 'yes' });
  }

  /** The agents leave their rooms as when their worker is lost; the calls stay assigned. */
  async vanish(): Promise<void> {
    const rooms = [...this.#rooms];
    // Forget first: speech in progress must fail.
    this.#rooms.clear();
    await Promise.all(rooms.map(leave));
  }

  /** Rejoins the rooms without a second greeting. */
  async comeBack(): Promise<void> {
    const assigned = [...this.#worker.performing.values()];
    await Promise.all(assigned.map((assign) => this.#enter(assign)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.vanish();
    await this.#worker.close();
  }

  async #perform(): Promise<void> {
    while (!this.#isClosed) {
      const assign = await this.#worker.next('assign').catch(() => null);
      if (!assign) return;
      await this.#enter(assign, this.#script.greeting);
      await this.#worker.started(assign.placement);
    }
  }

  /** Ignores a sentence that fails because its call ends: tests check what arrived. */
  async #say(room: Room, text: string): Promise<void> {
    await say(room, text).catch((error: unknown) => {
      if (this.#rooms.has(room)) console.warn(`not said: ${text}:`, error);
    });
  }

  async #enter({ room: { url, token } }: Assign, greeting?: string): Promise<void> {
    const room = new Room();
    this.#rooms.add(room);
    room.on(RoomEvent.Disconnected, () => this.#rooms.delete(room));
    await room.connect(url, token, { autoSubscribe: false, dynacast: false });
    const me = room.localParticipant!;
    me.registerRpcMethod(PLAYBACK_FINISHED, async () => RPC_OK);
    await me.setAttributes({
      [HEARS]: this.hears ? 'yes' : 'no',
      [AGENT_STATE]: AGENT_LISTENING,
    });
    room.registerTextStreamHandler(CHAT_TOPIC, async (stream) => {
      await this.#say(room, this.#script.answer(await stream.readAll()));
    });
    if (greeting === undefined) return;
    const participants = () => room.remoteParticipants;
    const greet = () => {
      if (!participants().has(FACE) || participants().size < 2) return;
      room.off(RoomEvent.TrackPublished, greet);
      room.off(RoomEvent.ParticipantConnected, greet);
      void this.#say(room, greeting);
    };
    room.on(RoomEvent.TrackPublished, greet);
    room.on(RoomEvent.ParticipantConnected, greet);
    greet();
  }
}

/** Speaks through the avatar with speech-like sound, and sends the text word by word. */
async function say(room: Room, text: string): Promise<void> {
  const me = room.localParticipant!;
  const sound = babble(RATE, text.length * MS_PER_LETTER);
  const speech = await me.streamBytes({
    topic: SPEECH_TOPIC,
    name: 'speech',
    destinationIdentities: [FACE],
    attributes: { [SPEECH_RATE]: String(RATE), [SPEECH_CHANNELS]: '1' },
  });
  await speech.write(bytesOf(sound));
  await speech.close();
  const caption = await me.streamText({
    topic: TRANSCRIPTION_TOPIC,
    attributes: {
      'lk.segment_id': `segment-${Math.random().toString(36).slice(2)}`,
      'lk.transcription_final': 'false',
    },
  });
  for (const word of text.split(/(?<= )/)) await caption.write(word);
  await caption.close();
}
