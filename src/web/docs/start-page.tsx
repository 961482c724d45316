import './docs.css';
import { PluginGuide } from '../plugin/plugin-guide.tsx';
import { PlainSound } from './plain-sound.tsx';

/** The first built-in avatar: its id is the same on every installation. */
const nora = { id: '5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401', name: 'Nora' };

export function StartPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>Point your plugin at Troupe</h1>
        <p className="lede">
          Your voice agent stays as it is. Its avatar plugin gets another address, and somebody with
          a face joins the room and says what the agent says.
        </p>
      </header>

      <section aria-labelledby="key">
        <h2 id="key">1. Get a key</h2>
        <p>
          The first <code>npm start</code> made one and printed it. Another one, shown once:
        </p>
        <pre className="docs-code" tabIndex={0} aria-label="Make a key">
          <code>npm run key -- --name my-agent</code>
        </pre>
      </section>

      <section aria-labelledby="plugin">
        <h2 id="plugin">2. Set the address</h2>
        <p>
          The address has no path: the plugins add theirs. Released plugins work unmodified, in
          their current and in their older form.
        </p>
        <PluginGuide avatar={nora} />
        <p>
          Your agent has the plugin of another vendor, or none?{' '}
          <a href="/docs/coming-from">Coming from another service</a>. It only publishes sound?{' '}
          <a href="#sound">That is enough</a>.
        </p>
      </section>

      <section aria-labelledby="room">
        <h2 id="room">3. Choose the room</h2>
        <p>
          The avatar joins the room that your agent is in, on any LiveKit server that this machine
          can reach. Set <code>LIVEKIT_URL</code>, <code>LIVEKIT_API_KEY</code> and{' '}
          <code>LIVEKIT_API_SECRET</code> for your agent as always. To use the media server that
          came up with Troupe, take the values that <code>npm start</code> printed.
        </p>
        <p>
          A session that names no room gets a fresh one on that server, and the answer carries{' '}
          <code>room.agent_token</code> and <code>room.viewer_token</code> to join it. That is how
          the <a href="/">try page</a> does it.
        </p>
      </section>

      <PlainSound />

      <section aria-labelledby="life">
        <h2 id="life">What a session does</h2>
        <dl className="docs-states">
          <div>
            <dt>
              <code>to_start</code>
            </dt>
            <dd>A worker has kept a slot for it and is on its way into the room.</dd>
          </div>
          <div>
            <dt>
              <code>ongoing</code>
            </dt>
            <dd>The avatar is seen. Should its worker die, another one brings it back.</dd>
          </div>
          <div>
            <dt>
              <code>completed</code>
            </dt>
            <dd>
              The agent left, the room closed, a limit was reached or you ended it;{' '}
              <code>end_reason</code> says which.
            </dd>
          </div>
        </dl>
        <p>
          Every endpoint, its fields and its answers: <a href="/docs/api">API reference</a>.
        </p>
      </section>
    </article>
  );
}
