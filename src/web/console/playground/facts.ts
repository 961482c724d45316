/* Facts about a room, for the diagnosis. Times are since it began. */
import type { AnsweredDispatch } from '#protocol/agent-jobs.ts';
import type { DeviceProblem } from '../../call/state/call-state.ts';

export type AgentFacts = {
  identity: string;
  /** `lk.agent.state`; null: a program without LiveKit's agent session. */
  state: string | null;
  hereForMs: number;
  /** It publishes sound of its own. */
  hasVoice: boolean;
};

export type AvatarFacts = {
  identity: string;
  /** The agent whose speech it shows. */
  speaksFor: string;
  hereForMs: number;
  hasVideo: boolean;
};

/** The service's facts about a room of its own. Lists begin with the newest. */
export type Findings = {
  /** Null: the room is closed. */
  dispatches: AnsweredDispatch[] | null;
  sessions: {
    id: string;
    status: 'to_start' | 'ongoing' | 'completed';
    end_reason: string | null;
    end_detail: string | null;
  }[];
  refusals: { status: number; detail: string | null }[];
};

export type Facts = {
  joinedForMs: number;
  agents: AgentFacts[];
  avatars: AvatarFacts[];
  /** An agent was here before. */
  hasAgentLeft: boolean;
  /** Pictures of the avatar arrive. */
  isSeen: boolean;
  isSoundBlocked: boolean;
  microphone: DeviceProblem | null;
  /** Null: the room is not of this service, or nothing was read yet. */
  findings: Findings | null;
};
