import { useEffect, useState } from 'react';
import { useRead } from '../service/queries.ts';
import type { Facts, Findings } from './facts.ts';
import type { RoomState } from './playground-room.ts';

const READ_EVERY_MS = 3_000;
const TICK_MS = 1_000;

/** `ownName`: the name of a room of the service. */
export function useFacts(state: RoomState, ownName: string | null): Facts {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const isIn = ownName !== null && state.phase.type === 'joined';
  const { data } = useRead<Findings>(isIn ? `/v1/playground/rooms/${ownName}` : null, {
    everyMs: READ_EVERY_MS,
  });
  return factsOf(state, data ?? null, now);
}

export function factsOf(
  { seats, since, hasAgentLeft, isSeen, isSoundBlocked, microphone }: RoomState,
  findings: Findings | null,
  now: number,
): Facts {
  const hereForMs = (identity: string) => now - (since.get(identity) ?? now);
  const own = seats.find(({ role }) => role === 'you');
  return {
    joinedForMs: own ? hereForMs(own.identity) : 0,
    agents: seats.flatMap(({ role, identity, state, hasAudio: hasVoice }) =>
      role === 'agent' ? [{ identity, state, hereForMs: hereForMs(identity), hasVoice }] : [],
    ),
    avatars: seats.flatMap(({ identity, speaksFor, hasVideo }) =>
      speaksFor === null ? [] : [{ identity, speaksFor, hereForMs: hereForMs(identity), hasVideo }],
    ),
    hasAgentLeft,
    isSeen,
    isSoundBlocked,
    microphone: microphone.problem,
    findings,
  };
}
