import { ParticipantKind, type RemoteParticipant, type Room } from '@livekit/rtc-node';
import { HEARING_RATE } from '#protocol/audio.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { voiceChanges, voiceOf, VoiceTrack, type OpenSound } from './voice-track.ts';

type Parts = {
  room: Pick<Room, 'on' | 'remoteParticipants'>;
  clock: Clock;
  log: Log;
  /** Mono PCM at `HEARING_RATE` in blocks of 20 ms, while the microphone is not muted. */
  hear: (samples: Int16Array) => void;
  /** Replaced by tests that have no media server. */
  openSound?: OpenSound;
};

/** Agents and recorders are no visitors; people on a phone are. */
const VISITORS = new Set([ParticipantKind.STANDARD, ParticipantKind.SIP, ParticipantKind.INGRESS]);

/**
 * The microphone of a room's visitor: of the first participant with one, until that participant
 * leaves or unpublishes it. A mute keeps the place.
 */
export class VisitorTrack {
  readonly #room: Parts['room'];
  readonly #voice: VoiceTrack;
  #visitor: string | null = null;
  #isClosed = false;

  constructor({ hear, ...parts }: Parts) {
    this.#room = parts.room;
    const listener = { voice: hear, voiceEnded: () => {} };
    this.#voice = new VoiceTrack({ ...parts, listener, sampleRate: HEARING_RATE });
    for (const event of voiceChanges) parts.room.on(event, () => this.update());
  }

  /** Call on joining: the SDK emits no events for present participants. */
  update(): void {
    if (this.#isClosed) return;
    const { remoteParticipants } = this.#room;
    const current = this.#visitor === null ? undefined : remoteParticipants.get(this.#visitor);
    if (hasMicrophone(current)) return;
    this.#visitor = [...remoteParticipants.values()].find(hasMicrophone)?.identity ?? null;
    this.#voice.follow(this.#visitor);
  }

  close(): void {
    this.#isClosed = true;
    this.#voice.giveUp();
  }
}

const hasMicrophone = (participant: RemoteParticipant | undefined): boolean =>
  participant !== undefined && VISITORS.has(participant.kind) && voiceOf(participant) !== null;
