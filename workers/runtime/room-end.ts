/** rtc-node aborts what is under way when the room ends, as it does when a user leaves. */
export const endedWithRoom = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AbortError';

/** For a log line about something that failed in a room. */
export const faultLevel = (error: unknown): 'info' | 'warn' =>
  endedWithRoom(error) ? 'info' : 'warn';
