import { useEffect, useState } from 'react';
import { sentenceAt, type Utterance } from '../session/try-state.ts';

/** The sentence that is heard now. It is shown from the moment the avatar says that it began. */
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
