/* The first things that people do in a new account, and which of them are done. Pure. */
import type { Agent, Session } from '../../../clients/typescript/src/generated/models.ts';
import { FIRST_AGENT_ROLE } from '#protocol/first-agent.ts';
import { isFailure } from './attention.ts';

export type Progress = {
  hasTalked: boolean;
  /** A session of an agent that runs elsewhere. */
  arrival: Session | null;
  hasAgent: boolean;
};

/** Pages of the service name themselves in the metadata, and calls belong to managed agents. */
const isOfOwnAgent = ({ call_id, metadata }: Session): boolean =>
  call_id === undefined && metadata['opened_by'] === undefined;

/** The agent that a new installation has, unchanged. */
const isFirst = ({ system_prompt }: Agent): boolean =>
  system_prompt?.startsWith(FIRST_AGENT_ROLE) === true;

/** `sessions`: the newest first. */
export function progressOf(sessions: Session[], agents: Agent[]): Progress {
  const ofOwnAgent = sessions.filter(isOfOwnAgent);
  return {
    hasTalked: sessions.some((session) => !isOfOwnAgent(session) && !isFailure(session)),
    arrival: ofOwnAgent.find((session) => !isFailure(session)) ?? ofOwnAgent[0] ?? null,
    hasAgent: agents.some((agent) => !isFirst(agent)),
  };
}

export const isComplete = ({ hasTalked, arrival, hasAgent }: Progress): boolean =>
  hasTalked && hasArrived(arrival) && hasAgent;

export const hasArrived = (arrival: Session | null): arrival is Session =>
  arrival !== null && !isFailure(arrival);
