import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { Line } from '../../call/state/call-state.ts';
import { Card } from '../parts/page.tsx';
import { playground as t } from '../texts/playground.ts';

type Props = { lines: Line[]; isOpen: boolean; say: (text: string) => void };

export function Conversation({ lines, isOpen, say }: Props) {
  const [text, setText] = useState('');
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [lines]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    say(text.trim());
    setText('');
  };
  return (
    <Card title={t.conversation}>
      {lines.length === 0 ? (
        <p className="soft">{t.noLines}</p>
      ) : (
        // Focusable, because it scrolls.
        <ol ref={list} className="playground-lines" tabIndex={0} aria-label={t.conversation}>
          {lines.map(({ id, sender, text, isFinal }) => (
            <li key={id} data-sender={sender} data-final={isFinal}>
              <strong>{t.speakers[sender]}</strong>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      )}
      <form className="playground-typing" onSubmit={submit}>
        <div className="field">
          <input
            type="text"
            aria-label={t.type}
            placeholder={t.type}
            autoComplete="off"
            maxLength={2_000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <button type="submit" className="button" disabled={!isOpen}>
          {t.send}
        </button>
      </form>
    </Card>
  );
}
