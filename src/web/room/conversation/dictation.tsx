import { useEffect, useRef, useState } from 'react';
import { Icon } from '../icons.tsx';
import { canRecognise, recogniseOnce } from './recognition.ts';

type Props = {
  language: string;
  isLive: boolean;
  /** Receives interim results. */
  onText: (text: string) => void;
  onSay: (text: string) => void;
};

/** For agents that only read: the browser transcribes one sentence. */
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
        title="Your browser turns your speech into text. Some browsers send it to their vendor."
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
  'not-allowed': 'Your microphone is blocked on this page.',
  'service-not-allowed': 'Your browser does not allow dictation on this page.',
  'no-speech': 'No speech was heard.',
  'audio-capture': 'No microphone was found.',
  network: 'Your browser could not reach its speech recognition service.',
};
