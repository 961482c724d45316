/* The participants of a room, and what each is. */
import {
  ParticipantKind,
  Track,
  type LocalParticipant,
  type RemoteParticipant,
  type Room,
} from 'livekit-client';
import { AGENT_STATE, PUBLISH_ON_BEHALF } from '#protocol/room-terms.ts';

export type Seat = {
  identity: string;
  name: string;
  role: 'you' | 'agent' | 'avatar' | 'other';
  state: string | null;
  speaksFor: string | null;
  hasVideo: boolean;
  hasAudio: boolean;
  attributes: Readonly<Record<string, string>>;
};

export function seatsOf({ localParticipant, remoteParticipants }: Room): Seat[] {
  const others = [...remoteParticipants.values()];
  const speakers = new Set(others.map(speaksFor));
  return [
    seat(localParticipant, 'you'),
    ...others.map((each) => seat(each, roleOf(each, speakers))),
  ];
}

/** Agents of other frameworks join as ordinary participants, and their avatar names them. */
function roleOf(participant: RemoteParticipant, speakers: ReadonlySet<string | null>) {
  if (isAvatar(participant)) return 'avatar';
  const isAgent = participant.kind === ParticipantKind.AGENT || speakers.has(participant.identity);
  return isAgent ? 'agent' : 'other';
}

export const isAvatar = (participant: RemoteParticipant): boolean =>
  speaksFor(participant) !== null;

const speaksFor = ({ attributes }: RemoteParticipant | LocalParticipant): string | null =>
  attributes[PUBLISH_ON_BEHALF] ?? null;

function seat(participant: RemoteParticipant | LocalParticipant, role: Seat['role']): Seat {
  const { identity, name, attributes } = participant;
  return {
    identity,
    name: name ?? identity,
    role,
    state: attributes[AGENT_STATE] ?? null,
    speaksFor: speaksFor(participant),
    hasVideo: participant.getTrackPublication(Track.Source.Camera) !== undefined,
    hasAudio: participant.getTrackPublication(Track.Source.Microphone) !== undefined,
    attributes,
  };
}
