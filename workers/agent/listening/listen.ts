import type { voice } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';
import type { CallBrief } from '#protocol/call-brief.ts';
import { DEFAULT_TURN_TAKING } from '#protocol/voice/turn-taking.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { Listener, type Hearing, type ListenerParts } from './listener.ts';
import { readMicrophone } from './microphone.ts';
import { SileroActivity } from './voice-activity.ts';

type ListeningParts = {
  brief: Pick<CallBrief, 'language' | 'turnTaking' | 'user'>;
  /** Must be subscribed to the user's microphone. */
  room: Room;
  hearing: Hearing;
  session: Pick<voice.AgentSession, 'agentState'>;
  /** The agent's current speech. */
  agentText: () => string;
  listener: ListenerParts['listener'];
  clock: Clock;
  log: Log;
};

export type Listening = { agentSilent(isQuestion: boolean): void; end(): void };

/** Listens to the user in a room, until `end`. */
export function listen(parts: ListeningParts): Listening {
  const { brief, room, hearing, session, agentText, clock, log } = parts;
  const listener = new Listener({
    language: brief.language,
    turnTaking: brief.turnTaking ?? DEFAULT_TURN_TAKING,
    hearing,
    voiceActivity: new SileroActivity(),
    agent: {
      get isActive() {
        return session.agentState === 'speaking' || session.agentState === 'thinking';
      },
      get text() {
        return agentText();
      },
    },
    listener: parts.listener,
    clock,
    log,
  });
  const stopReading = readMicrophone({ room, userIdentity: brief.user.identity, listener, log });
  return {
    agentSilent: (isQuestion) => listener.agentSilent(isQuestion),
    end() {
      stopReading();
      listener.close();
    },
  };
}
