import type { LiveCall } from './live-call.ts';
import { provideRandomUuid } from './random-uuid.ts';

/** The media client is larger than everything else, so no page brings it. */
export async function loadMedia(): Promise<typeof LiveCall> {
  provideRandomUuid();
  return (await import('./live-call.ts')).LiveCall;
}
