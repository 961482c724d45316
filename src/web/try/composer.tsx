import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { isVoiceName, VOICES, type VoiceName } from '#protocol/voice/flite.ts';
import { toSentences } from '#protocol/voice/speakable.ts';
import type { Avatar } from './service.ts';
import { isPending } from './session/try-state.ts';
import type { useSession } from './session/use-session.ts';
import type { useVoice } from './speech/use-voice.ts';

type Props = {
  avatar: Avatar;
  session: ReturnType<typeof useSession>;
  voice: ReturnType<typeof useVoice>;
  voiceName: VoiceName;
  onVoiceName: (name: VoiceName) => void;
  onSay: (text: string) => void;
};

/** Samples with closed lips, round vowels, a longer answer and a short one. */
const samples = [
  'Peter Piper picked a peck of pickled peppers.',
  'Oh, who knew the moon could look so blue?',
  'Your order has shipped. It should be with you on Thursday, before noon.',
  'One moment, please. Let me look that up for you.',
];

const LONGEST_TEXT = 1000;

export function Composer({ avatar, session, voice, voiceName, onVoiceName, onSay }: Props) {
  const [text, setText] = useState(
    `Hello! I am ${avatar.name}, and I am speaking to you from your own machine.`,
  );
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const isBusy = session.state.utterances.some(isPending);

  useEffect(() => {
    // On touch screens the keyboard would cover the stage.
    if (!matchMedia('(pointer: fine)').matches) return;
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, []);

  const say = (line: string) => {
    setProblem(null);
    onSay(line);
  };
  const sayTyped = () => {
    if (!text.trim()) return;
    if (toSentences(text).length === 0) {
      return setProblem('This voice cannot read that text. It speaks English only.');
    }
    say(text.trim());
    setText('');
    field.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sayTyped();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isBusy) session.stop();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    sayTyped();
  };

  return (
    <form className="composer" onSubmit={submit}>
      <label htmlFor={`${id}-text`}>What should {avatar.name} say?</label>
      <textarea
        ref={field}
        id={`${id}-text`}
        rows={3}
        maxLength={LONGEST_TEXT}
        placeholder="Type the next sentence"
        value={text}
        aria-describedby={problem ? `${id}-problem` : undefined}
        aria-invalid={problem !== null}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
      />
      {problem && (
        <p className="problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
      <div className="composer-actions">
        <button type="submit" className="button button-lit" disabled={!text.trim()}>
          Speak
        </button>
        <button type="button" className="button" disabled={!isBusy} onClick={session.stop}>
          Stop
        </button>
        <label className="composer-voice">
          <span className="unseen">Voice</span>
          <select
            value={voiceName}
            onChange={({ target }) => isVoiceName(target.value) && onVoiceName(target.value)}
          >
            {Object.entries(VOICES).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="chips" role="group" aria-label="Sample sentences">
        {samples.map((sample) => (
          <button key={sample} type="button" className="chip" onClick={() => say(sample)}>
            {sample}
          </button>
        ))}
      </div>
      <VoiceProgress voice={voice} />
    </form>
  );
}

function VoiceProgress({ voice }: { voice: ReturnType<typeof useVoice> }) {
  switch (voice.state.type) {
    case 'not_asked':
    case 'ready':
      return null;
    case 'loading':
      return (
        <p className="voice-progress soft">
          <label htmlFor="voice-progress">Downloading the voice (21 MB, once)</label>
          <progress id="voice-progress" max={1} value={voice.state.part} />
        </p>
      );
    case 'failed':
      return (
        <p className="problem" role="alert">
          The voice could not be loaded.{' '}
          <button type="button" className="link" onClick={voice.load}>
            Try again
          </button>
        </p>
      );
  }
}
