import type { LogEvent } from './log-lines.ts';

type Routine = { msg: RegExp; error?: RegExp };

/**
 * Warnings and errors of other people's programs that come whenever a participant leaves or a room
 * ends, and tell an operator nothing. The log file keeps them.
 */
const ROUTINE: readonly Routine[] = [
  // The media server: each data channel of a connection that it closes, or that the client does.
  { msg: /^error reading data channel$/, error: /^dtls timeout: read\/write timeout: / },
  { msg: /^error reading data channel$/, error: /\(User Initiated Abort: Close called\)$/ },
  // The media server: a request that crosses the end of its connection.
  { msg: /^error writing to request sink$/, error: /^stream closed$/ },
  // LiveKit's framework of agents: the room ended meanwhile.
  { msg: /^Failed to update agent state attributes$/, error: /^AbortError$/ },
  // rtc-node: speech that was on its way. It also throws the error, which the worker handles.
  { msg: /^error reading stream: Error: Disconnected while receiving$/ },
  { msg: /^error reading stream: Error: stream closed abnormally: Participant .* disconnected / },
];

export const isRoutine = (event: LogEvent): boolean =>
  ROUTINE.some(
    ({ msg, error }) => msg.test(String(event['msg'])) && (error?.test(causeOf(event)) ?? true),
  );

/** The media server writes the text of an error, pino an object. */
function causeOf({ error, err }: LogEvent): string {
  if (typeof error === 'string') return error;
  return err instanceof Object && 'name' in err ? String(err.name) : '';
}
