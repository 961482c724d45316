import './docs.css';
import { PICTURE_PROBLEMS } from '#protocol/picture-problems.ts';

const createLine = (origin: string): string =>
  `curl ${origin}/v1/avatars -H "x-api-key: $KEY" \\
  -F name=Ada -F picture=@ada.jpg \\
  -F 'consent=Ada Smith agreed in writing on 3 November 2026.'`;

const created = `{
  "id": "0b6f2c1e-...", "name": "Ada",
  "status": "building", "progress": 0,
  "picture": ".../avatars/0b6f2c1e-.../picture",
  "background": "blur", "consent": "Ada Smith agreed ...",
  "created_at": "2026-11-21T09:30:00.000000+00:00"
}`;

const consentLines = `npm run consent -- --statement 'Everyone whose picture we send has agreed.'
npm run consent -- --withdraw`;

export function OwnAvatarPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>Your own avatar</h1>
        <p className="lede">
          One photo is enough: Troupe finds the face, adds what a photo does not show, and half a
          minute later a new avatar can speak for your agent.
        </p>
      </header>

      <section aria-labelledby="send">
        <h2 id="send">1. Send a photo</h2>
        <pre className="docs-code" tabIndex={0} aria-label="Create an avatar">
          <code>{createLine(location.origin)}</code>
        </pre>
        <p>
          Send a JPEG, PNG or WebP of up to 16 MiB that shows one face from the front, in good
          light. The optional <code>background</code> is <code>blur</code>, a colour like{' '}
          <code>#224466</code>, or a picture within the same limits (
          <code>-F background=@office.jpg</code>), which is cropped to its centre.
        </p>
        <p>
          <code>consent</code> is your statement that the person in the picture agrees. It is stored
          with the avatar, together with the time and the key.
        </p>
      </section>

      <section aria-labelledby="wait">
        <h2 id="wait">2. Wait until it is ready</h2>
        <pre className="docs-code" tabIndex={0} aria-label="The answer">
          <code>{created}</code>
        </pre>
        <p>
          A worker builds the avatar; sessions have priority. <code>GET /v1/avatars/ID</code>{' '}
          returns the progress, and the <a href="/docs/webhooks">webhook</a> event{' '}
          <code>avatar.ready</code> is sent when the avatar is ready. No event is sent for a failed
          build: its <code>status</code> is <code>failed</code>, <code>reason</code> is one of the
          following, for the photo or its background, and <code>advice</code> says what to do.
        </p>
        <dl className="docs-states wide">
          {Object.entries(PICTURE_PROBLEMS).map(([reason, advice]) => (
            <div key={reason}>
              <dt>
                <code>{reason}</code>
              </dt>
              <dd>{advice}</dd>
            </div>
          ))}
        </dl>
      </section>

      <section aria-labelledby="use">
        <h2 id="use">3. Use it</h2>
        <p>
          Use the <code>id</code> wherever you name an avatar: in sessions, agents and calls, and in
          other vendors’ plugins. Only your account can use the avatar. Anyone with the URL of its
          picture can view it, but the URL contains the id and cannot be guessed.
        </p>
        <p>
          <code>DELETE /v1/avatars/ID</code> deletes your files and everything built from them, as
          soon as no agent or session uses the avatar. Workers that have shown it keep a copy for
          one day at most. The number of avatars is limited:{' '}
          <a href="/docs/limits">Limits and errors</a>.
        </p>
      </section>

      <section aria-labelledby="sessions">
        <h2 id="sessions">Pictures sent with sessions</h2>
        <p>
          The plugins of LemonSlice, bitHuman and Hedra can send a picture or its URL with each
          session. Such a picture becomes an avatar only if the account has stated that the pictured
          people agree: with <code>picture_consent</code> in <code>PATCH /admin/accounts/ID</code>{' '}
          or, for the first account, on the machine itself:
        </p>
        <pre className="docs-code" tabIndex={0} aria-label="State consent, and withdraw it">
          <code>{consentLines}</code>
        </pre>
        <p>
          The first session with a new picture starts at once with the default avatar. Later
          sessions with the same picture show the new avatar once it is ready. The response header{' '}
          <code>x-troupe-picture</code> is <code>used</code>, <code>building</code>, or{' '}
          <code>not used</code> with the reason. A failed build is tried again after an hour.
          Pictures are downloaded under the rules for webhooks: no private networks, no redirects,
          within two seconds, up to 16 MiB.
        </p>
      </section>
    </article>
  );
}
