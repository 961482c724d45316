import { useEffect, useRef, useState } from 'react';
import { Icon } from '../icons.tsx';
import { canRecognise, recogniseOnce } from '../../call/chat/recognition.ts';

type Props = {
  language: string;
  isLive: boolean;
  /** Receives interim results. */
  onText: (text: string) => void;
  onSay: (text: string) => void;
};

type DictationState = { type: 'idle' | 'listening' } | { type: 'failed'; problem: string };

/** For agents that only read: the browser transcribes one sentence. */
export function Dictation({ language, isLive, onText, onSay }: Props) {
  const [state, setState] = useState<DictationState>({ type: 'idle' });
  const isListening = state.type === 'listening';
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  if (!canRecognise(window)) return null;

  const listen = () => {
    setState({ type: 'listening' });
    stop.current = recogniseOnce(window, language, {
      onGuess: onText,
      onOver(text, why) {
        stop.current = null;
        setState(
          !text && why
            ? { type: 'failed', problem: wordsOf[why] ?? 'Your browser did not understand that.' }
            : { type: 'idle' },
        );
        onText('');
        if (text) onSay(text);
      },
    });
  };
  const cancel = () => {
    stop.current?.();
    stop.current = null;
    setState({ type: 'idle' });
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
      {state.type === 'failed' && (
        <p className="writer-problem" role="alert">
          {state.problem}
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
