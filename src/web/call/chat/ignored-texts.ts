import type { IgnoreReason } from '#protocol/room-terms.ts';

/** Says that the last text was ignored, and what to do. */
export const ignoredTexts: Record<IgnoreReason, string> = {
  too_fast:
    'Your last message was not delivered, because you sent too many in a minute. Wait a moment, then send it again.',
  too_many:
    'Your last message was not delivered, because this call has reached its limit of messages.',
  incomplete: 'Your last message was not delivered. Send it again.',
};

/** Reads an agent's report. An unknown reason is one of a newer agent. */
export function ignoreReasonOf(report: Uint8Array): IgnoreReason {
  const text = new TextDecoder().decode(report);
  return isReason(text) ? text : 'incomplete';
}

const isReason = (text: string): text is IgnoreReason => Object.hasOwn(ignoredTexts, text);
