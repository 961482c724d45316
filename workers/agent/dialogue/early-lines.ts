import type { voice } from '@livekit/agents';

/** An output of the framework that sends lines in the name of a participant. */
type LineSink = { setParticipant(participant: string | null): void };

const isLineSink = (output: object): output is LineSink => 'setParticipant' in output;

/**
 * Sends the agent's lines from the start. By itself, the framework drops them until the user is
 * announced as a participant, which may be seconds after the user has typed. Call it once
 * `roomIo` has started.
 */
export function sendEarlyLines(roomIo: voice.RoomIO, agentIdentity: string): void {
  // oxlint-disable-next-line no-underscore-dangle -- the framework's own name
  for (const sink of roomIo['agentTranscriptOutput']?._sinks ?? []) {
    if (!isLineSink(sink)) continue;
    const set = sink.setParticipant.bind(sink);
    set(agentIdentity);
    // The framework sets the same again, which would cut the line that is being said.
    sink.setParticipant = (participant) => {
      if (participant !== agentIdentity) set(participant);
    };
  }
}
