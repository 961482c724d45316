import { CopyButton } from '../look/copy-button.tsx';
import type { TryState } from './session/try-state.ts';

/** For whoever builds an agent: the numbers, and what goes over the wire. */
export function SessionFacts({ state }: { state: TryState }) {
  const { phase, sessionId, wire } = state;
  if (!sessionId) return null;
  return (
    <section className="facts" aria-label="About this session">
      <dl>
        {phase.type === 'live' && (
          <div>
            <dt>First picture</dt>
            <dd>{(phase.firstPictureMs / 1000).toFixed(2)} s after the click</dd>
          </div>
        )}
        <div>
          <dt>Session</dt>
          <dd>
            <code>{sessionId.slice(0, 8)}</code>
            <CopyButton text={sessionId} label="Copy the session's id" />
          </dd>
        </div>
      </dl>
      {wire.length > 0 && (
        <details>
          <summary>What agent and avatar tell each other</summary>
          <ol className="wire">
            {wire.map(({ id, atMs, from, what }) => (
              <li key={id} data-from={from}>
                <time>{(atMs / 1000).toFixed(2)}</time>
                <b>{from}</b>
                <span>{what}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}
