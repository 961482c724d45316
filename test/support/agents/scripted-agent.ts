/*
 * An agent worker whose conversations are told beforehand: it greets, and answers each typed line by saying that it was read. Everything
 * around the words is real: placed by the control plane, in a real room, spoken by a real face, with captions as LiveKit's components expect.
 */
import { Room, RoomEvent } from '@livekit/rtc-node';
import type { Assign } from '#protocol/gateway-messages.ts';
import {
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
  /** Whether they say that they understand speech: of calls that begin from now on. */
  hears = true;
  readonly #worker: SimulatedWorker;
  readonly #script: Script;
  readonly #rooms = new Set<Room>();
  #isClosed = false;

  private constructor(worker: SimulatedWorker, script: Script) {
    this.#worker = worker;
    this.#script = script;
  }

  /** Holds any number of calls, until it is closed. */
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

  /** The agents leave their rooms as when their worker is lost; the calls are still theirs. */
  async vanish(): Promise<void> {
    const rooms = [...this.#rooms];
    // Forgotten first: what they say just now fails, as it should.
    this.#rooms.clear();
    await Promise.all(rooms.map(leave));
  }

  /** Into the rooms again, without a second greeting. */
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

  /** A sentence in which the call ends fails before its room is known to be gone: what tests look for is what arrived. */
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
    await me.setAttributes({ [HEARS]: this.hears ? 'yes' : 'no' });
    room.registerTextStreamHandler(CHAT_TOPIC, async (stream) => {
      await this.#say(room, this.#script.answer(await stream.readAll()));
    });
    if (greeting === undefined) return;
    const others = () => room.remoteParticipants;
    const greet = () => {
      if (!others().has(FACE) || others().size < 2) return;
      room.off(RoomEvent.TrackPublished, greet);
      room.off(RoomEvent.ParticipantConnected, greet);
      void this.#say(room, greeting);
    };
    room.on(RoomEvent.TrackPublished, greet);
    room.on(RoomEvent.ParticipantConnected, greet);
    greet();
  }
}

/** By the face, as sound that is like speech; and as text, word by word. */
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
