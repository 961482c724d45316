import './docs.css';
import { PluginGuide } from '../plugin/plugin-guide.tsx';
import { PlainSound } from './plain-sound.tsx';

/** A built-in avatar; its id is the same on every installation. */
const nora = { id: '5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401', name: 'Nora' };

export function StartPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>Point your plugin at Troupe</h1>
        <p className="lede">
          Your voice agent stays as it is. Change the address in its avatar plugin, and an avatar
          joins the room and speaks for it.
        </p>
      </header>

      <section aria-labelledby="key">
        <h2 id="key">1. Get a key</h2>
        <p>
          The first <code>npm start</code> created a key and printed it. To create another one,
          which is shown only once:
        </p>
        <pre className="docs-code" tabIndex={0} aria-label="Create a key">
          <code>npm run key -- --name my-agent</code>
        </pre>
      </section>

      <section aria-labelledby="plugin">
        <h2 id="plugin">2. Set the address</h2>
        <p>
          The address has no path, because the plugins add their own. Released plugins work
          unmodified, both current and older versions.
        </p>
        <PluginGuide avatar={nora} />
        <p>
          If your agent uses another vendor’s plugin or none, see{' '}
          <a href="/docs/coming-from">Coming from another service</a>. Without LiveKit, see{' '}
          <a href="/docs/botroom">Botrooms</a>. If it only publishes audio,{' '}
          <a href="#sound">that is enough</a>.
        </p>
      </section>

      <section aria-labelledby="room">
        <h2 id="room">3. Choose the room</h2>
        <p>
          The avatar joins your agent’s room, on any LiveKit server that this machine can reach. Set{' '}
          <code>LIVEKIT_URL</code>, <code>LIVEKIT_API_KEY</code> and <code>LIVEKIT_API_SECRET</code>{' '}
          for your agent as usual. To use Troupe’s own media server, take the values printed by{' '}
          <code>npm start</code>.
        </p>
        <p>
          A session without a room gets a new one on that server. The response contains{' '}
          <code>room.agent_token</code> and <code>room.viewer_token</code> to join it. The{' '}
          <a href="/">try page</a> works this way.
        </p>
      </section>

      <PlainSound />

      <section aria-labelledby="life">
        <h2 id="life">States of a session</h2>
        <dl className="docs-states">
          <div>
            <dt>
              <code>to_start</code>
            </dt>
            <dd>A worker has reserved a slot and is joining the room.</dd>
          </div>
          <div>
            <dt>
              <code>ongoing</code>
            </dt>
            <dd>The avatar is visible. If its worker fails, another worker takes over.</dd>
          </div>
          <div>
            <dt>
              <code>completed</code>
            </dt>
            <dd>
              The agent left, the room closed, a limit was reached, or you ended the session.{' '}
              <code>end_reason</code> says which.
            </dd>
          </div>
        </dl>
        <p>
          All endpoints, fields and responses: <a href="/docs/api">API reference</a>.
        </p>
      </section>
    </article>
  );
}
