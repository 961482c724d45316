/* Compares an agent's playback reports with its speech and with what a viewer heard. */

/** `isCut`: interrupted by the agent. */
export type Segment = { seconds: number; isCut: boolean };

/** The payload of `lk.playback_finished`, and when it came. */
export type Report = { playback_position: number; interrupted: boolean; atMs: number };

/** Tolerance for a segment played to its end, in seconds: the last step of a media clock. */
const WHOLE_WITHIN_S = 0.1;
/** Python agents unpack the payload into a class that rejects other keys. */
const KEYS = ['interrupted', 'playback_position'];

export function judgeReports(segments: readonly Segment[], reports: readonly Report[]): string[] {
  const problems: string[] = [];
  if (reports.length !== segments.length)
    problems.push(`${reports.length} playback_finished for ${segments.length} segments`);
  for (const [i, { seconds, isCut }] of segments.entries()) {
    const report = reports[i];
    if (!report) break;
    const { atMs: _atMs, ...payload } = report;
    const { playback_position: position, interrupted } = payload;
    const keys = Object.keys(payload).sort();
    const segment = `segment ${i + 1} of ${seconds} s`;
    if (keys.join() !== KEYS.join())
      problems.push(`${segment}: the payload has the keys ${keys.join(', ')}`);
    else if (interrupted !== isCut)
      problems.push(`${segment}: interrupted is ${interrupted}, not ${isCut}, at ${position} s`);
    else if (isCut && !(position >= 0 && position <= seconds + WHOLE_WITHIN_S))
      problems.push(`${segment}: interrupted at ${position} s`);
    else if (!isCut && !(Math.abs(position - seconds) <= WHOLE_WITHIN_S))
      problems.push(`${segment}: played to its end, but reported at ${position} s`);
  }
  return problems;
}

/** Reported and heard seconds of an interrupted segment: a viewer's buffer delays, not changes. */
export const judgePosition = (
  reported: number,
  heard: number | null,
  withinS: number,
): string[] => {
  if (heard === null) return ['nothing of the interrupted segment was heard'];
  if (Math.abs(reported - heard) <= withinS) return [];
  return [`interrupted at ${reported.toFixed(2)} s, but heard up to ${heard.toFixed(2)} s`];
};

/** `heard`: whole utterances in seconds, by a viewer. */
export function judgeHeard(
  expected: readonly number[],
  heard: readonly number[],
  withinS: number,
): string[] {
  const lengths = heard.map((seconds) => seconds.toFixed(2)).join(', ') || 'nothing';
  const isSame =
    heard.length === expected.length &&
    expected.every((seconds, i) => Math.abs(heard[i]! - seconds) <= withinS);
  return isSame ? [] : [`heard ${lengths}, not ${expected.join(', ')} s`];
}
