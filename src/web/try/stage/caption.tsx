import { useEffect, useState } from 'react';
import { sentenceAt, type Utterance } from '../session/try-state.ts';

/** The sentence being spoken. Mounted when the avatar reports that playback started. */
export function Caption({ utterance }: { utterance: Utterance }) {
  const [beganAt] = useState(() => performance.now());
  const [sentence, setSentence] = useState(() => sentenceAt(utterance, 0));

  useEffect(() => {
    const show = () => setSentence(sentenceAt(utterance, (performance.now() - beganAt) / 1000));
    show();
    const timer = setInterval(show, 100);
    return () => clearInterval(timer);
  }, [utterance, beganAt]);

  return (
    <p className="caption" aria-live="polite">
      <span>{sentence}</span>
    </p>
  );
}
