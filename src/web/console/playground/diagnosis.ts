/* Derives the faults of a room from facts. The most urgent fault comes first. */
import type { AnsweredDispatch } from '#protocol/agent-jobs.ts';
import type { DeviceProblem } from '../../call/state/call-state.ts';
import type { Facts, Findings } from './facts.ts';

/** An agent is asked at once and has ten seconds to answer. */
const ASKED_MS = 12_000;
/** An agent that takes the job does so by then, and the service knows. */
const REFUSED_MS = 5_000;
/** An agent loads its models in the process of the job. */
const STARTS_MS = 30_000;
const AVATAR_JOINS_MS = 12_000;
const PICTURE_MS = 10_000;
const READY_MS = 20_000;

export type NoAgentReason =
  | { type: 'unknown' }
  | { type: NonNullable<AnsweredDispatch['refusal']> }
  /** An agent took the job, and did not join. */
  | { type: 'not_joined' }
  | { type: 'failed'; error: string };

export type NoAvatarReason =
  | { type: 'unknown' }
  | { type: 'not_requested' }
  | { type: 'refused'; status: number; detail: string | null }
  | { type: 'ended'; sessionId: string; reason: string | null; detail: string | null }
  /** The session waits for its worker. */
  | { type: 'not_started'; sessionId: string };

export type Fault =
  | { type: 'room_closed' }
  | { type: 'no_agent'; agentName: string; why: NoAgentReason }
  | { type: 'agent_left'; why: NoAvatarReason }
  | { type: 'two_agents'; identities: string[] }
  | { type: 'agent_not_ready'; identity: string }
  | { type: 'no_avatar'; why: NoAvatarReason }
  | { type: 'speaks_for_nobody'; identity: string; speaksFor: string }
  | { type: 'voice_beside_avatar'; identity: string }
  | { type: 'no_picture'; identity: string; hasVideo: boolean }
  | { type: 'sound_blocked' }
  | { type: 'microphone'; problem: DeviceProblem };

export function faultsIn(facts: Facts): Fault[] {
  const { isSoundBlocked, microphone, findings } = facts;
  if (findings?.dispatches === null) return [{ type: 'room_closed' }];
  return [
    ...agentFaults(facts),
    ...avatarFaults(facts),
    ...(isSoundBlocked ? [{ type: 'sound_blocked' } as const] : []),
    ...(microphone ? [{ type: 'microphone', problem: microphone } as const] : []),
  ];
}

function agentFaults({ agents, hasAgentLeft, joinedForMs, findings }: Facts): Fault[] {
  const [agent] = agents;
  if (!agent) {
    if (hasAgentLeft) return [{ type: 'agent_left', why: noAvatarReason(findings) }];
    const why = noAgentReason(findings, joinedForMs);
    const agentName = findings?.dispatches?.[0]?.agent_name ?? '';
    return why ? [{ type: 'no_agent', agentName, why }] : [];
  }
  const identities = agents.map(({ identity }) => identity);
  const slow = agents.find(
    ({ state, hereForMs }) => state === 'initializing' && hereForMs > READY_MS,
  );
  return [
    ...(agents.length > 1 ? [{ type: 'two_agents', identities } as const] : []),
    ...(slow ? [{ type: 'agent_not_ready', identity: slow.identity } as const] : []),
  ];
}

/** Null: it may still come. */
function noAgentReason(findings: Findings | null, joinedForMs: number): NoAgentReason | null {
  const dispatches = findings?.dispatches ?? [];
  const [newest] = dispatches;
  const waitedMs = newest?.age_ms ?? joinedForMs;
  const jobs = dispatches.flatMap(({ jobs }) => jobs);
  const failed = jobs.find(({ status }) => status === 'failed');
  if (failed) return { type: 'failed', error: failed.error };
  if (jobs.length > 0) return waitedMs > STARTS_MS ? { type: 'not_joined' } : null;
  if (newest?.refusal) return waitedMs > REFUSED_MS ? { type: newest.refusal } : null;
  return waitedMs > ASKED_MS ? { type: 'unknown' } : null;
}

function avatarFaults({ agents, avatars, isSeen, findings }: Facts): Fault[] {
  const [agent] = agents;
  const [avatar] = avatars;
  if (!avatar) {
    if (!agent || agent.hereForMs < AVATAR_JOINS_MS) return [];
    return [{ type: 'no_avatar', why: noAvatarReason(findings) }];
  }
  const { identity, speaksFor, hereForMs, hasVideo } = avatar;
  const speaker = agents.find((each) => each.identity === speaksFor);
  return [
    ...(agent && !speaker ? [{ type: 'speaks_for_nobody', identity, speaksFor } as const] : []),
    ...(speaker?.hasVoice ? [{ type: 'voice_beside_avatar', identity: speaksFor } as const] : []),
    ...(!isSeen && hereForMs > PICTURE_MS
      ? [{ type: 'no_picture', identity, hasVideo } as const]
      : []),
  ];
}

function noAvatarReason(findings: Findings | null): NoAvatarReason {
  if (!findings) return { type: 'unknown' };
  const [session] = findings.sessions;
  const [refusal] = findings.refusals;
  if (session?.status === 'completed') {
    const { id: sessionId, end_reason: reason, end_detail: detail } = session;
    return { type: 'ended', sessionId, reason, detail };
  }
  if (session) return { type: 'not_started', sessionId: session.id };
  return refusal ? { type: 'refused', ...refusal } : { type: 'not_requested' };
}

/** The steps that the room waits for, in order. */
export type Progress = 'agent' | 'job' | 'avatar' | 'picture' | 'done';

export function progressOf({ agents, avatars, isSeen, findings }: Facts): Progress {
  if (isSeen) return 'done';
  if (avatars.length > 0) return 'picture';
  if (agents.length > 0) return 'avatar';
  const jobs = findings?.dispatches?.flatMap(({ jobs }) => jobs) ?? [];
  return jobs.some(({ status }) => status === 'running') ? 'job' : 'agent';
}
