import { CopyButton } from '../look/copy-button.tsx';
import type { TryState } from './session/try-state.ts';

/** Session details for developers: timings, and the messages between agent and avatar. */
export function SessionFacts({ state }: { state: TryState }) {
  const { phase, sessionId, wire } = state;
  if (!sessionId) return null;
  return (
    <section className="facts" aria-label="Session details">
      <dl>
        {phase.type === 'live' && (
          <div>
            <dt>First frame</dt>
            <dd>{(phase.firstPictureMs / 1000).toFixed(2)} s after the click</dd>
          </div>
        )}
        <div>
          <dt>Session</dt>
          <dd>
            <code>{sessionId.slice(0, 8)}</code>
            <CopyButton text={sessionId} label="Copy the session ID" />
          </dd>
        </div>
      </dl>
      {wire.length > 0 && (
        <details>
          <summary>Messages between agent and avatar</summary>
          <ol className="wire">
            {wire.map(({ id, atMs, from, text }) => (
              <li key={id} data-from={from}>
                <time>{(atMs / 1000).toFixed(2)}</time>
                <b>{from}</b>
                <span>{text}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}
