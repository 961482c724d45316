import type { IgnoreReason } from '#protocol/room-terms.ts';

/** Says that the last text was ignored, and what to do. */
export const ignoredTexts: Record<IgnoreReason, string> = {
  too_fast:
    'Your last message was not delivered, because you sent too many in a minute. Wait a moment, then send it again.',
  too_often:
    'Your last message was not delivered, because you have sent many in the last ten minutes. Wait a few minutes, then send it again.',
  too_many:
    'Your last message was not delivered, because this call has reached its limit of messages.',
  incomplete: 'Your last message was not delivered. Send it again.',
};
