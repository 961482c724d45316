import './conversation.css';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { deviceWords } from '../../call/devices/device-problems.ts';
import { Dictation } from './dictation.tsx';
import { ignoredWords } from '../../call/chat/ignored-texts.ts';
import { Icon } from '../icons.tsx';
import { nameOf } from '../../call/texts/refusals.ts';
import { Said } from './said.tsx';
import type { Call } from '../use-call.ts';

const LONGEST_TEXT = 2000;

/** The transcript, and a field to type into. */
export function Conversation({ call }: { call: Call }) {
  const { state, say } = call;
  const { phase, hears, lines, ignored, devices } = state;
  const agent = phase.type === 'looking' ? null : phase.agent;
  const name = nameOf(agent);
  const [text, setText] = useState('');
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const isLive = phase.type === 'live' && phase.presence !== 'rejoining';
  const last = lines.at(-1);

  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [last?.id, last?.text]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!text.trim() || !isLive) return;
    say(text.trim());
    setText('');
  };
  const problems = (['microphone', 'camera'] as const).flatMap((kind) => {
    const { problem } = devices[kind];
    return problem ? [deviceWords(kind, problem)] : [];
  });
  if (ignored) problems.push(ignoredWords[ignored]);

  return (
    <section className="conversation" aria-label="Conversation">
      <div
        ref={list}
        className="conversation-lines"
        tabIndex={0}
        role="region"
        aria-label="Transcript"
      >
        {lines.length === 0 ? (
          <p className="soft conversation-empty">The conversation appears here.</p>
        ) : (
          <Said lines={lines} agentName={name} />
        )}
      </div>
      {problems.map((words) => (
        <p key={words} className="conversation-notice conversation-problem" role="alert">
          {words}
        </p>
      ))}
      {hears === false && (
        <p className="conversation-notice" role="status">
          {name} cannot hear you in this call, but reads what you type.
        </p>
      )}
      <form className="writer" onSubmit={submit}>
        <label className="unseen" htmlFor={id}>
          Message {name}
        </label>
        <input
          id={id}
          type="text"
          autoComplete="off"
          enterKeyHint="send"
          maxLength={LONGEST_TEXT}
          placeholder={`Message ${name}`}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {hears === false && agent && (
          <Dictation language={agent.language} isLive={isLive} onText={setText} onSay={say} />
        )}
        <button type="submit" className="writer-send" disabled={!text.trim() || !isLive}>
          <Icon name="send" />
          <span className="unseen">Send</span>
        </button>
      </form>
    </section>
  );
}
