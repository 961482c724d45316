/* Speech recognition of the browser, one sentence at a time. For agents that only read. */

/** The used part of the Web Speech API, which TypeScript does not fully declare. */
type Recognition = EventTarget & {
  lang: string;
  interimResults: boolean;
  start(): void;
  abort(): void;
};
type Heard = Event & { results: ArrayLike<ArrayLike<{ transcript: string }>> };
type Problem = Event & { error: string };

type Constructors = Partial<
  Record<'SpeechRecognition' | 'webkitSpeechRecognition', new () => Recognition>
>;

const constructorIn = (page: object) =>
  (page as Constructors).SpeechRecognition ?? (page as Constructors).webkitSpeechRecognition;

export const canRecognise = (page: object): boolean => constructorIn(page) !== undefined;

type RecognitionEvents = {
  /** Receives interim results. */
  onGuess: (text: string) => void;
  /** Called once at the end, with the final text (may be empty) and the error name. */
  onOver: (text: string, problem: string | null) => void;
};

/** Returns a function that stops without calling `onOver`. */
export function recogniseOnce(
  page: object,
  language: string,
  { onGuess, onOver }: RecognitionEvents,
): () => void {
  const Constructor = constructorIn(page);
  if (!Constructor) throw new Error('this browser has no speech recognition');
  const recognition = new Constructor();
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
