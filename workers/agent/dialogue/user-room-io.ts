import { voice } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';

/**
 * Not passed to the session: with a room, the framework gives the user remote control of the
 * session, including access to the agent's prompt.
 */
export const userRoomIo = (
  agentSession: voice.AgentSession,
  room: Room,
  participantIdentity: string,
): voice.RoomIO =>
  new voice.RoomIO({
    agentSession,
    room,
    participant: participantIdentity,
    inputOptions: {
      participantIdentity,
      // `Listener` hears the user.
      audioEnabled: false,
      closeOnDisconnect: false,
      // It ignores texts that come before it knows the user, and reads streams of any length.
      textEnabled: false,
    },
    outputOptions: { audioEnabled: false },
  });
