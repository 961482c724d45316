import './docs.css';
import './coming-from-page.css';
import type { VendorAdapter } from '../../http/compat/vendor-adapter.ts';
import { VENDOR_ADAPTERS } from '../../http/compat/vendor-adapters.ts';
import { SnippetTabs } from '../plugin/snippet-tabs.tsx';
import { vendorSnippets } from './vendor-snippets.ts';

/** The one that needs no plugin stands first in the table. */
const [shortest, ...others] = VENDOR_ADAPTERS;

export function ComingFromPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>Coming from another service</h1>
        <p className="lede">
          LiveKit’s agents have an avatar interface of their own, and many vendors a plugin for it.
          All of them work here, unmodified: change the address and the key, and a face on your own
          machines joins the room.
        </p>
        <nav className="doors-index" aria-label="Services">
          {VENDOR_ADAPTERS.map(({ word, name }) => (
            <a key={word} href={`#${word}`}>
              {name}
            </a>
          ))}
        </nav>
      </header>

      {shortest && (
        <section id={shortest.word} aria-labelledby="shortest">
          <h2 id="shortest">The shortest way: no plugin at all</h2>
          <p>
            If your agent has no avatar yet, this is in LiveKit Agents already, for Python and for
            Node, and takes no key.
          </p>
          <DoorLines adapter={shortest} />
        </section>
      )}

      <section aria-labelledby="same">
        <h2 id="same">The same for all of them</h2>
        <dl className="docs-states">
          <div>
            <dt>The key</dt>
            <dd>
              One of yours (<code>npm run key -- --name my-agent</code>), where the plugin expects
              its vendor’s.
            </dd>
          </div>
          <div>
            <dt>The avatar</dt>
            <dd>
              Name one of yours, like <code>nora</code>, or leave the vendor’s id in the code: then
              the default avatar performs, and the answer’s <code>x-troupe-avatar</code> header and
              the log say so. <code>DOOR_DEFAULT_AVATAR</code> names another default, and{' '}
              <code>DOOR_AVATARS</code> gives an id its avatar: <code>tavus:r4067604db72=theo</code>
              .
            </dd>
          </div>
          <div>
            <dt>What is not used</dt>
            <dd>
              Sizes, prompts and the like are accepted, and named in the header{' '}
              <code>x-troupe-unused</code>.
            </dd>
          </div>
          <div>
            <dt>Pictures</dt>
            <dd>
              Become avatars where consent is stated, and perform from the next session on:{' '}
              <a href="/docs/own-avatar#sessions">Pictures that come with sessions</a>.
            </dd>
          </div>
          <div>
            <dt>The end</dt>
            <dd>
              When the agent leaves, when the plugin says so, or at the length that it asked for.
            </dd>
          </div>
          <div>
            <dt>Limits and errors</dt>
            <dd>
              Of the key’s account, as everywhere: <a href="/docs/limits">Limits and errors</a>.
            </dd>
          </div>
        </dl>
      </section>

      <section aria-labelledby="plugins">
        <h2 id="plugins">With a vendor’s plugin</h2>
        {others.map((door) => (
          <section
            key={door.word}
            id={door.word}
            className="door"
            aria-labelledby={`of-${door.word}`}
          >
            <h3 id={`of-${door.word}`}>{door.name}</h3>
            <DoorLines adapter={door} />
          </section>
        ))}
      </section>
    </article>
  );
}

function DoorLines({ adapter }: { adapter: VendorAdapter }) {
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
    'Emotions are heard, and shown by avatars that have pictures of them: of the built-in ones Nora, who is warm, concerned or amused.',
    ...docs.differs,
  ];
}
