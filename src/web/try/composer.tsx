import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { BUILT_IN_VOICES } from '#protocol/voice/built-in-voices.ts';
import { recordedSentences } from '#protocol/voice/recorded-sentences.ts';
import { toSentences } from '#protocol/voice/speakable.ts';
import type { Avatar } from './service.ts';
import { isPending } from './session/try-state.ts';
import type { useSession } from './session/use-session.ts';
import type { useVoice } from './speech/use-voice.ts';

type Props = {
  avatar: Avatar;
  session: ReturnType<typeof useSession>;
  voice: ReturnType<typeof useVoice>;
  voiceId: string;
  onVoiceId: (id: string) => void;
  onSay: (text: string) => void;
};

const LONGEST_TEXT = 1000;

export function Composer({ avatar, session, voice, voiceId, onVoiceId, onSay }: Props) {
  const [greeting = '', ...samples] = recordedSentences(avatar.name);
  const [text, setText] = useState(greeting);
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
          <select value={voiceId} onChange={({ target }) => onVoiceId(target.value)}>
            {BUILT_IN_VOICES.map(({ id: value, name, sex }) => (
              <option key={value} value={value}>
                {name}, {sex === 'female' ? 'a woman' : 'a man'}
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
      <p className="soft">
        These sentences are recordings of the natural voice, with which agents speak. A smaller
        voice in your browser reads what you type.
      </p>
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
