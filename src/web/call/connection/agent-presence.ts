/*
 * Decides whether the agent of a call is present. When an agent worker is killed, the media server
 * keeps its participant in the room for a while. The service knows at once and puts the epoch of
 * the lost agent into the room's metadata.
 */
import { AGENT_EPOCH, AGENT_LOST, HEARS } from '#protocol/room-terms.ts';

/** Participant attributes of an agent, set when it starts to listen, a moment after it joins. */
type Attributes = Readonly<Record<string, string>>;

export class AgentPresence {
  #hasBeenMet = false;
  /** The agent spoke although this epoch was reported lost. */
  #heardEpoch = 0;

  met(): void {
    this.#hasBeenMet = true;
  }

  /** A speaking agent is present: its worker lost the service, but not the room. */
  heard(metadata: string | undefined): void {
    this.#heardEpoch = Math.max(this.#heardEpoch, lostEpochIn(metadata));
  }

  /** An agent that has not joined yet counts as present. */
  isThere(agents: readonly Attributes[], metadata: string | undefined): boolean {
    return !this.#hasBeenMet || this.isListening(agents, metadata);
  }

  /** Text sent to an agent that is not listening would be lost. */
  isListening(agents: readonly Attributes[], metadata: string | undefined): boolean {
    const lostEpoch = lostEpochIn(metadata);
    const isKnownLost = lostEpoch > this.#heardEpoch;
    return agents.some(
      (agent) => agent[HEARS] !== undefined && (!isKnownLost || isAfter(agent, lostEpoch)),
    );
  }
}

/** Returns 0 when no agent is lost. */
function lostEpochIn(metadata: string | undefined): number {
  try {
    const epoch = (JSON.parse(metadata ?? '') as Record<string, unknown> | null)?.[AGENT_LOST];
    return typeof epoch === 'number' ? epoch : 0;
  } catch {
    return 0;
  }
}

function isAfter(agent: Attributes, lostEpoch: number): boolean {
  const epoch = agent[AGENT_EPOCH];
  // Older agents have no epoch.
  return epoch === undefined || Number(epoch) > lostEpoch;
}
