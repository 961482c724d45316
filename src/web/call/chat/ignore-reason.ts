import type { IgnoreReason } from '#protocol/room-terms.ts';

const REASONS: Record<IgnoreReason, true> = {
  too_fast: true,
  too_often: true,
  too_many: true,
  incomplete: true,
};

/** Reads an agent's report. An unknown reason is one of a newer agent. */
export function ignoreReasonOf(report: Uint8Array): IgnoreReason {
  const text = new TextDecoder().decode(report);
  return isReason(text) ? text : 'incomplete';
}

const isReason = (text: string): text is IgnoreReason => Object.hasOwn(REASONS, text);
