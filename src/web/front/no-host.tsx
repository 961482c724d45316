import { RecordedFace } from './face.tsx';

/** For an account without agents. */
export function NoHost() {
  return (
    <section className="shell front">
      <div className="front-words">
        <h1>A face for your voice agent.</h1>
        <p className="lede">This account has no agent to talk with yet.</p>
        <p className="front-actions">
          <a className="button button-lit" href="/console/agents">
            Create an agent
          </a>
          <a className="button" href="/try">
            Try an avatar
          </a>
        </p>
      </div>
      <RecordedFace />
    </section>
  );
}
