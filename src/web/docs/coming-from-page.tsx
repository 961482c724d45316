import './docs.css';
import './coming-from-page.css';
import type { VendorAdapter } from '../../http/compat/vendor-adapter.ts';
import { VENDOR_ADAPTERS } from '../../http/compat/vendor-adapters.ts';
import { SnippetTabs } from '../plugin/snippet-tabs.tsx';
import { vendorSnippets } from './vendor-snippets.ts';

/** The first adapter needs no plugin. */
const [shortest, ...others] = VENDOR_ADAPTERS;

export function ComingFromPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>Coming from another service</h1>
        <p className="lede">
          LiveKit Agents has an avatar interface, and many vendors publish a plugin for it; some
          publish a video service for Pipecat. They work with Troupe unmodified: change the URL and
          the key, and an avatar on your own machines joins the room, or sends its pictures and
          sound into your pipeline.
        </p>
        <nav className="adapter-index" aria-label="Services">
          {VENDOR_ADAPTERS.map(({ word, name }) => (
            <a key={word} href={`#${word}`}>
              {name}
            </a>
          ))}
        </nav>
      </header>

      {shortest && (
        <section id={shortest.word} aria-labelledby="shortest">
          <h2 id="shortest">The shortest way: no plugin</h2>
          <p>
            If your agent has no avatar yet, use the avatar client that LiveKit Agents already
            includes, for Python and for Node. It needs no key.
          </p>
          <AdapterGuide adapter={shortest} />
        </section>
      )}

      <section aria-labelledby="same">
        <h2 id="same">What applies to all of them</h2>
        <dl className="docs-states">
          <div>
            <dt>The key</dt>
            <dd>
              Use a Troupe key (<code>npm run key -- --name my-agent</code>) where the plugin
              expects the vendor’s key.
            </dd>
          </div>
          <div>
            <dt>The avatar</dt>
            <dd>
              Name a Troupe avatar, such as <code>nora</code>, or keep the vendor’s id in your code:
              the default avatar is used then, and the response header <code>x-troupe-avatar</code>{' '}
              and the log say so. <code>DOOR_DEFAULT_AVATAR</code> sets another default, and{' '}
              <code>DOOR_AVATARS</code> maps ids to avatars: <code>tavus:r4067604db72=theo</code>.
            </dd>
          </div>
          <div>
            <dt>Unused settings</dt>
            <dd>
              Video sizes, prompts and similar settings are accepted, and listed in the response
              header <code>x-troupe-unused</code>.
            </dd>
          </div>
          <div>
            <dt>Pictures</dt>
            <dd>
              Pictures become avatars if consent is stated, and are used from the next session on:{' '}
              <a href="/docs/own-avatar#sessions">Pictures sent with sessions</a>.
            </dd>
          </div>
          <div>
            <dt>The end</dt>
            <dd>
              A session ends when the agent leaves, when the plugin ends it, or after the maximum
              length that the plugin sets.
            </dd>
          </div>
          <div>
            <dt>Limits and errors</dt>
            <dd>
              The limits of the key’s account apply: <a href="/docs/limits">Limits and errors</a>.
            </dd>
          </div>
        </dl>
      </section>

      <section aria-labelledby="plugins">
        <h2 id="plugins">With a vendor’s plugin or video service</h2>
        {others.map((adapter) => (
          <section
            key={adapter.word}
            id={adapter.word}
            className="adapter"
            aria-labelledby={`of-${adapter.word}`}
          >
            <h3 id={`of-${adapter.word}`}>{adapter.name}</h3>
            <AdapterGuide adapter={adapter} />
          </section>
        ))}
      </section>
    </article>
  );
}

function AdapterGuide({ adapter }: { adapter: VendorAdapter }) {
  return (
    <>
      <SnippetTabs
        snippets={vendorSnippets(adapter, location.origin)}
        label={`Your program with ${adapter.name}`}
      />
      {differences(adapter).map((text) => (
        <p key={text} className="soft">
          {text
            .split('`')
            .map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part))}
        </p>
      ))}
    </>
  );
}

function differences({ docs, signals = [] }: VendorAdapter): string[] {
  if (!signals.some(({ means }) => means === 'emotion')) return docs.differs;
  return [
    'Emotions work with avatars that have pictures for them. Of the built-in avatars, Nora can look warm, concerned or amused.',
    ...docs.differs,
  ];
}
