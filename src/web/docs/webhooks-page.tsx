import './docs.css';
import { EVENT_TYPES, type EventType } from '../../events/events.ts';
import { RETRY_AFTER_MS } from '../../events/retries.ts';
import { Code } from './code.tsx';

const meanings: Record<EventType, string> = {
  'session.started': 'The face is in the room.',
  'session.ended': 'The session is completed; its end_reason says why.',
  'call.started': 'The face of a managed agent is in the room of its call.',
  'call.ended': 'The call is over; all its messages come with it.',
  message: 'Something was said in a call, by the agent or by the person.',
  'avatar.ready': 'An avatar of your own can be used from now on.',
  test: 'Sent when a webhook is saved, and whenever you ask for it.',
};

const createLine = (origin: string): string =>
  `curl -X POST ${origin}/v1/webhooks -H "x-api-key: $KEY" -H 'content-type: application/json' \\
  -d '{"url": "https://example.com/troupe", "events": ["session.ended"]}'`;

const receiver = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.TROUPE_WEBHOOK_SECRET);

app.post('/troupe', (request, response) => {
  // Throws when it is not from Troupe, or older than five minutes. It wants the body as it came.
  const event = webhook.verify(request.rawBody, request.headers);
  response.sendStatus(204);
});`;

const payload = `{
  "type": "session.ended",
  "timestamp": "2026-11-21T09:30:00.000000+00:00",
  "data": { "id": "5f0c...", "avatar_id": "5c1e...", "status": { "type": "completed", ... }, ... }
}`;

function spoken(ms: number): string {
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
          Troupe tells your service what happens: signed, in order, and at least once, whatever is
          restarted meanwhile.
        </p>
      </header>

      <section aria-labelledby="make">
        <h2 id="make">Make one</h2>
        <Code label="Make a webhook" text={createLine(location.origin)} />
        <p>
          The answer holds its <code>secret</code>, shown only then. A <code>test</code> event comes
          at once. The address is https, or http on the machine that Troupe runs on; addresses in
          private networks are refused unless <code>ALLOWED_NETWORKS</code> names them. Without it,
          this machine's own are allowed as long as nobody else reaches Troupe: while{' '}
          <code>HOST</code> is a loopback address and <code>PUBLIC_URL</code> is not set.
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
          <code>message</code> and <code>call.ended</code> also carry, beside <code>data</code>, the
          fields that receivers of hosted services read: <code>event_type</code>,{' '}
          <code>call_id</code>, <code>call_data</code> and the rest. All payloads:{' '}
          <a href="/docs/api">API reference</a>.
        </p>
      </section>

      <section aria-labelledby="check">
        <h2 id="check">Check the signature</h2>
        <p>
          Deliveries are signed by <a href="https://www.standardwebhooks.com">Standard Webhooks</a>,
          which has libraries for most languages.
        </p>
        <Code label="A receiver that checks the signature" text={receiver} />
      </section>

      <section aria-labelledby="delivery">
        <h2 id="delivery">Delivery</h2>
        <p>
          Any 2xx within ten seconds counts as delivered. Else it is tried again after{' '}
          {RETRY_AFTER_MS.map(spoken).join(', ')}, each a little longer so that what failed together
          does not come back together. What happens in one call, or one session, arrives in order: a
          later event waits for the earlier one. Redirects are not followed.
        </p>
        <p>
          An event may come twice: <code>webhook-id</code> is the same each time. A webhook that
          took nothing for a day, or answered 410, is disabled; enabled again, it gets what it has
          missed. <code>GET /v1/webhooks/ID/deliveries</code> shows every try.
        </p>
      </section>
    </article>
  );
}
