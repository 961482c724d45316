const WITHIN_HERTZ = 15;
/** A codec rings for a moment; a leak lasts. */
const STRAY_SHARE = 0.05;

/** The tones in one room: its own, and none of the other's. In hertz. */
export function judgePitches(
  pitches: readonly number[],
  ownHertz: number,
  foreign: number,
): string[] {
  const near = (hertz: number) => pitches.filter((each) => Math.abs(each - hertz) < WITHIN_HERTZ);
  const problems: string[] = [];
  if (near(ownHertz).length === 0)
    problems.push(`the tone of ${ownHertz} Hz is not heard in its room`);
  if (near(foreign).length > STRAY_SHARE * pitches.length)
    problems.push(`the tone of ${foreign} Hz is heard in the room of ${ownHertz} Hz`);
  return problems;
}
