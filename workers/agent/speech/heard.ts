/** A sentence as it was given to the voice, and how long its sound is. */
export type Spoken = { text: string; seconds: number };

/** The last moment of a sentence is breath: who was cut there was heard to its end. */
const BREATH_S = 0.1;

/** What was heard of sentences when the sound stopped there: whole ones, and of the one in between as many words as fit its time. */
export function heardText(spoken: readonly Spoken[], positionSeconds: number): string {
  const heard: string[] = [];
  let endsAt = 0;
  for (const { text, seconds } of spoken) {
    const startsAt = endsAt;
    endsAt += seconds;
    if (positionSeconds < endsAt - BREATH_S) {
      heard.push(wordsWithin(text, (positionSeconds - startsAt) / seconds));
      break;
    }
    heard.push(text);
  }
  return heard.filter(Boolean).join(' ');
}

/** How long until the sentence that sounds there is over; 0 when none does. */
export function secondsToSentenceEnd(spoken: readonly Spoken[], positionSeconds: number): number {
  let endsAt = 0;
  for (const { seconds } of spoken) {
    endsAt += seconds;
    if (positionSeconds < endsAt) return endsAt - positionSeconds;
  }
  return 0;
}

/** What comes after what was heard, word by word. */
export function unheardText(spoken: readonly Spoken[], positionSeconds: number): string {
  const whole = spoken.map(({ text }) => text).join(' ');
  return whole.slice(heardText(spoken, positionSeconds).length).trim();
}

/** A word counts when all of it was spoken; letters are taken to last equally long. */
function wordsWithin(text: string, share: number): string {
  const characters = Math.floor(text.length * share);
  if (characters >= text.length) return text;
  const cut = text.slice(0, characters + 1);
  return cut.slice(0, Math.max(0, cut.search(/\s\S*$/))).trimEnd();
}
