/*
 * Whether the agent of a call is there to talk. One whose worker was killed still sits in the room, for as long as the media server hopes that
 * it comes back; the service knows at once, and tells the room under which epoch its agent was lost.
 */
import { AGENT_EPOCH, AGENT_LOST, HEARS } from '#protocol/room-terms.ts';

/** What an agent says of itself in the room: that comes when it listens, a moment after it is there. */
type Attributes = Readonly<Record<string, string>>;

export class AgentPresence {
  #hasBeenMet = false;
  /** It was called lost under this epoch, and spoke all the same. */
  #heardEpoch = 0;

  met(): void {
    this.#hasBeenMet = true;
  }

  /** Whoever begins to speak is there: its worker was cut off from the service, and not from the room. */
  heard(metadata: string | undefined): void {
    this.#heardEpoch = Math.max(this.#heardEpoch, lostEpochIn(metadata));
  }

  /** Before it has been met it is on its way. */
  isThere(agents: readonly Attributes[], metadata: string | undefined): boolean {
    return !this.#hasBeenMet || this.isListening(agents, metadata);
  }

  /** What is written to one that does not listen, or not yet, would be lost. */
  isListening(agents: readonly Attributes[], metadata: string | undefined): boolean {
    const lostEpoch = lostEpochIn(metadata);
    const isKnownLost = lostEpoch > this.#heardEpoch;
    return agents.some(
      (agent) => agent[HEARS] !== undefined && (!isKnownLost || isAfter(agent, lostEpoch)),
    );
  }
}

/** 0: none is lost. */
function lostEpochIn(metadata: string | undefined): number {
  try {
    const lost = (JSON.parse(metadata ?? '') as Record<string, unknown> | null)?.[AGENT_LOST];
    return typeof lost === 'number' ? lost : 0;
  } catch {
    return 0;
  }
}

function isAfter(agent: Attributes, lostEpoch: number): boolean {
  const epoch = agent[AGENT_EPOCH];
  // An agent of an earlier version says no epoch.
  return epoch === undefined || Number(epoch) > lostEpoch;
}
