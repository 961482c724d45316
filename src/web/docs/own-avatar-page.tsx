import './docs.css';
import { PICTURE_PROBLEMS } from '../../protocol/picture-problems.ts';

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

const doorLines = `npm run consent -- --statement 'Everybody whose picture we send has agreed.'
npm run consent -- --withdraw`;

export function OwnAvatarPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>Your own avatar</h1>
        <p className="lede">
          One photo is enough: Troupe finds the face, draws what a photo does not show, and half a
          minute later somebody new can speak for your agent.
        </p>
      </header>

      <section aria-labelledby="send">
        <h2 id="send">1. Send a photo</h2>
        <pre className="docs-code" tabIndex={0} aria-label="Create an avatar">
          <code>{createLine(location.origin)}</code>
        </pre>
        <p>
          A JPEG, PNG or WebP of up to 16 MiB with one face, from the front, in good light.{' '}
          <code>background</code> is <code>blur</code>, a colour like <code>#224466</code>, or a
          picture of the same kinds and size, <code>-F background=@office.jpg</code>, whose middle
          is shown.
        </p>
        <p>
          <code>consent</code> is your word that the person in the picture agrees. It is kept with
          the avatar, with the time and the key that said it.
        </p>
      </section>

      <section aria-labelledby="wait">
        <h2 id="wait">2. Wait until it is ready</h2>
        <pre className="docs-code" tabIndex={0} aria-label="The answer">
          <code>{created}</code>
        </pre>
        <p>
          A worker builds it, beside its sessions and after their needs.{' '}
          <code>GET /v1/avatars/ID</code> says how far it is, and the{' '}
          <a href="/docs/webhooks">webhook</a> event <code>avatar.ready</code> when it is there.
          Nothing is sent when it failed: then <code>status</code> is <code>failed</code>,{' '}
          <code>reason</code> one of these, of the photo or of its background, and{' '}
          <code>advice</code> what to do.
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
          By its <code>id</code>, wherever an avatar is named: in sessions, agents and calls, and in
          other vendors’ plugins. It is your account’s alone. Its picture is for whoever has its
          address, which holds the id and can be guessed by nobody.
        </p>
        <p>
          <code>DELETE /v1/avatars/ID</code> takes away what you sent and all that was made of it,
          as soon as no agent refers to the avatar and no session shows it; workers that have shown
          it keep their copy for a day at most. How many you may have:{' '}
          <a href="/docs/limits">Limits and errors</a>.
        </p>
      </section>

      <section aria-labelledby="sessions">
        <h2 id="sessions">Pictures that come with sessions</h2>
        <p>
          The plugins of LemonSlice, bitHuman and Hedra may send a picture, or its address, with
          each start. Such a picture becomes an avatar only where the account has stated that the
          pictured agree: by <code>picture_consent</code> in <code>PATCH /admin/accounts/ID</code>,
          or, for the first account, on the machine itself:
        </p>
        <pre className="docs-code" tabIndex={0} aria-label="State consent, and withdraw it">
          <code>{doorLines}</code>
        </pre>
        <p>
          The first session with a picture starts at once, with the default avatar; those that come
          with the same picture once it is ready show it. The header <code>x-troupe-picture</code>{' '}
          says <code>used</code>, <code>building</code>, or <code>not used</code> and why. One that
          failed is tried again after an hour. An address is called within the rules for webhooks:
          no private networks, no redirects, two seconds, 16 MiB.
        </p>
      </section>
    </article>
  );
}
