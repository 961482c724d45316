/* The browser's own understanding of speech, where it has one: for an agent that takes text only. One sentence at a time. */

/** As much of the Web Speech API as is used; TypeScript does not know all of it. */
type Recognition = EventTarget & {
  lang: string;
  interimResults: boolean;
  start(): void;
  abort(): void;
};
type Heard = Event & { results: ArrayLike<ArrayLike<{ transcript: string }>> };
type Problem = Event & { error: string };

type Makers = Partial<
  Record<'SpeechRecognition' | 'webkitSpeechRecognition', new () => Recognition>
>;

const makerIn = (page: object) =>
  (page as Makers).SpeechRecognition ?? (page as Makers).webkitSpeechRecognition;

export const canRecognise = (page: object): boolean => makerIn(page) !== undefined;

export type RecognitionEvents = {
  /** What is understood so far. */
  onGuess: (text: string) => void;
  /** Once, when it is over: all that was understood, perhaps nothing; `problem`: why it failed. */
  onOver: (text: string, problem: string | null) => void;
};

/** Call what it returns to stop it without a word. */
export function recogniseOnce(
  page: object,
  language: string,
  { onGuess, onOver }: RecognitionEvents,
): () => void {
  const Maker = makerIn(page);
  if (!Maker) throw new Error('this browser recognises no speech');
  const recognition = new Maker();
  const stopped = new AbortController();
  const on = (type: string, run: (event: Event) => void) =>
    recognition.addEventListener(type, run, { signal: stopped.signal });
  let text = '';
  let problem: string | null = null;
  recognition.lang = language;
  recognition.interimResults = true;
  on('result', (event) => {
    text = Array.from((event as Heard).results, (result) => result[0]?.transcript ?? '').join('');
    onGuess(text);
  });
  on('error', (event) => {
    problem = (event as Problem).error;
  });
  on('end', () => onOver(text.trim(), problem));
  recognition.start();
  return () => {
    stopped.abort();
    recognition.abort();
  };
}
