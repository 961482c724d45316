import { useEffect, useRef, useState } from 'react';
import { Icon } from '../icons.tsx';
import { canRecognise, recogniseOnce } from './recognition.ts';

type Props = {
  language: string;
  isLive: boolean;
  /** What is understood so far. */
  onText: (text: string) => void;
  onSay: (text: string) => void;
};

/** For an agent that reads only: the browser listens for a sentence and writes it. */
export function Dictation({ language, isLive, onText, onSay }: Props) {
  const [isListening, setIsListening] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  if (!canRecognise(window)) return null;

  const listen = () => {
    setProblem(null);
    setIsListening(true);
    stop.current = recogniseOnce(window, language, {
      onGuess: onText,
      onOver(text, why) {
        stop.current = null;
        setIsListening(false);
        onText('');
        if (text) onSay(text);
        else if (why) setProblem(wordsOf[why] ?? 'Your browser did not understand that.');
      },
    });
  };
  const cancel = () => {
    stop.current?.();
    stop.current = null;
    setIsListening(false);
    onText('');
  };

  return (
    <>
      <button
        type="button"
        className="writer-speak"
        aria-pressed={isListening}
        disabled={!isLive}
        title="Your browser understands your speech; some send it to their maker for that."
        onClick={isListening ? cancel : listen}
      >
        <Icon name="microphone" />
        <span className="unseen">{isListening ? 'Stop dictating' : 'Dictate'}</span>
      </button>
      {problem && (
        <p className="writer-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

const wordsOf: Record<string, string> = {
  'not-allowed': 'The microphone is not allowed on this page.',
  'service-not-allowed': 'This browser does not let this page dictate.',
  'no-speech': 'Your browser heard nothing.',
  'audio-capture': 'No microphone was found.',
  network: 'Your browser could not reach what it understands speech with.',
};
