import './docs.css';
import { EVENT_TYPES, type EventType } from '../../events/events.ts';
import { RETRY_AFTER_MS } from '../../events/retries.ts';
import { Code } from './code.tsx';

const meanings: Record<EventType, string> = {
  'session.started': 'The avatar is in the room.',
  'session.ended': 'The session ended; end_reason says why.',
  'call.started': 'A managed agent’s avatar is in the room of its call.',
  'call.ended': 'The call ended. The event contains all its messages.',
  message: 'The agent or the person said something in a call.',
  'avatar.ready': 'Your own avatar is ready to use.',
  test: 'Sent when a webhook is saved, and on request.',
};

const createLine = (origin: string): string =>
  `curl -X POST ${origin}/v1/webhooks -H "x-api-key: $KEY" -H 'content-type: application/json' \\
  -d '{"url": "https://example.com/troupe", "events": ["session.ended"]}'`;

const receiver = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.TROUPE_WEBHOOK_SECRET);

app.post('/troupe', (request, response) => {
  // Needs the raw body. Throws if the event is not from Troupe or older than five minutes.
  const event = webhook.verify(request.rawBody, request.headers);
  response.sendStatus(204);
});`;

const payload = `{
  "type": "session.ended",
  "timestamp": "2026-11-21T09:30:00.000000+00:00",
  "data": { "id": "5f0c...", "avatar_id": "5c1e...", "status": { "type": "completed", ... }, ... }
}`;

function durationWords(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds}\u00a0s`;
  return seconds < 3600 ? `${seconds / 60}\u00a0min` : `${seconds / 3600}\u00a0h`;
}

export function WebhooksPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>Webhooks</h1>
        <p className="lede">
          Troupe sends events to your service: signed, in order, and at least once, even across
          restarts.
        </p>
      </header>

      <section aria-labelledby="make">
        <h2 id="make">Create a webhook</h2>
        <Code label="Create a webhook" text={createLine(location.origin)} />
        <p>
          The response contains the <code>secret</code>, which is shown only once. A{' '}
          <code>test</code> event is sent at once. The URL must be https, or http on the machine
          that runs Troupe. Addresses in private networks are refused unless{' '}
          <code>ALLOWED_NETWORKS</code> lists them. If it is not set, the machine’s own addresses
          are allowed while Troupe cannot be reached from outside, that is, while <code>HOST</code>{' '}
          is a loopback address and none of <code>PUBLIC_URL</code>, <code>CHAT_URL</code> and{' '}
          <code>TRUSTED_PROXIES</code> is set.
        </p>
      </section>

      <section aria-labelledby="events">
        <h2 id="events">Events</h2>
        <dl className="docs-states wide">
          {EVENT_TYPES.map((type) => (
            <div key={type}>
              <dt>
                <code>{type}</code>
              </dt>
              <dd>{meanings[type]}</dd>
            </div>
          ))}
        </dl>
        <Code label="An event" text={payload} />
        <p>
          Besides <code>data</code>, <code>message</code> and <code>call.ended</code> contain the
          fields that receivers of hosted services expect: <code>event_type</code>,{' '}
          <code>call_id</code>, <code>call_data</code> and others. All payloads:{' '}
          <a href="/docs/api">API reference</a>.
        </p>
      </section>

      <section aria-labelledby="check">
        <h2 id="check">Check the signature</h2>
        <p>
          Deliveries are signed according to{' '}
          <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, which has libraries for
          most languages.
        </p>
        <Code label="A receiver that checks the signature" text={receiver} />
      </section>

      <section aria-labelledby="delivery">
        <h2 id="delivery">Delivery</h2>
        <p>
          A delivery succeeds with any 2xx status within ten seconds. Otherwise it is retried after{' '}
          {RETRY_AFTER_MS.map(durationWords).join(', ')}, each with a random extra delay to spread
          the load. The events of one call or session arrive in order: later events wait for earlier
          ones. Redirects are not followed.
        </p>
        <p>
          An event may arrive twice, with the same <code>webhook-id</code>. A webhook that accepts
          nothing for a day, or answers 410, is disabled. When you enable it again, it receives the
          missed events. <code>GET /v1/webhooks/ID/deliveries</code> lists all attempts.
        </p>
      </section>
    </article>
  );
}
