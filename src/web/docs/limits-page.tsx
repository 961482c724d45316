import './docs.css';
import { PLANS, type Plan } from '../../accounts/plan.ts';
import { FAULTS } from '../../errors.ts';

const plans: [string, Plan][] = Object.entries(PLANS);
const faults = Object.values(FAULTS).toSorted((a, b) => a.status - b.status);

const sizes = [
  [
    'A request body',
    '64 KiB; of an agent 256 KiB; of a knowledge file with its text 8 MiB; of a photo and its background 16 MiB each',
  ],
  ['The text given with a knowledge file', '500,000 characters; more is uploaded'],
  ['A chunk of a knowledge file', '8 MiB'],
  ['A knowledge file', '64 MiB'],
  [
    'The text of a PDF',
    '5,000 pages, 16 million characters, read within 20 s and 512 MiB of memory; beyond that the file is refused, not the service slowed',
  ],
  [
    'The photo of an avatar, its background',
    '16 MiB, 256 by 256 pixels or more, 40 million pixels at most',
  ],
  ['Building an avatar', 'ten minutes, of which it may wait for a worker; then it has failed'],
  ['A page of a list', '1 to 50 entries, 10 if not said'],
  [
    'An Idempotency-Key',
    '24 hours: the same request is answered as the first, another body is refused',
  ],
] as const;

export function LimitsPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>Limits and errors</h1>
        <p className="lede">
          What an account may do, how large things may be, and what to do when a request is refused.
        </p>
      </header>

      <section aria-labelledby="plans">
        <h2 id="plans">Plans</h2>
        <p>
          An account has a plan. The first one of a service that you run yourself is{' '}
          <code>unlimited</code>; whoever runs it gives others theirs under <code>/admin</code>.
        </p>
        <div className="docs-table" tabIndex={0} role="region" aria-labelledby="plans">
          <table>
            <thead>
              <tr>
                <th scope="col">Plan</th>
                <th scope="col">Sessions at once</th>
                <th scope="col">Minutes a month</th>
                <th scope="col">Beyond them</th>
                <th scope="col">Own avatars</th>
                <th scope="col">Own language models</th>
                <th scope="col">Media server rooms</th>
              </tr>
            </thead>
            <tbody>
              {plans.map(([name, plan]) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td>{plan.concurrentSessions ?? 'as many as there are slots'}</td>
                  <td>{plan.minutesPerMonth?.toLocaleString('en') ?? 'no limit'}</td>
                  <td>{plan.hasOverage ? 'goes on' : 'refused'}</td>
                  <td>{plan.ownAvatars ?? 'no limit'}</td>
                  <td>{plan.features.includes('external_apis') ? 'yes' : 'no'}</td>
                  <td>{plan.features.includes('mediaserver_rooms') ? 'yes' : 'no'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>

      <section aria-labelledby="sizes">
        <h2 id="sizes">Sizes and times</h2>
        <dl className="docs-states wide">
          {sizes.map(([what, limit]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{limit}</dd>
            </div>
          ))}
        </dl>
        <p>
          How many requests a minute a key may send is set by <code>REQUESTS_PER_MINUTE</code>; each
          answer says in <code>RateLimit</code> headers how many are left.
        </p>
      </section>

      <section aria-labelledby="errors">
        <h2 id="errors">Errors</h2>
        <p>
          Every refused request is answered with a status and a body that holds <code>detail</code>:
          a sentence, or for a 422 a list that names each wrong place. Branch on the status; the
          wording may change. Try again after 429 and 503, waiting longer each time and at least as
          long as <code>Retry-After</code> says. Other refusals need another request, not a second
          try.
        </p>
        <dl className="docs-states narrow">
          {faults.map(({ status, detail }) => (
            <div key={detail + status}>
              <dt>
                <code>{status}</code>
              </dt>
              <dd>{detail}</dd>
            </div>
          ))}
        </dl>
      </section>
    </article>
  );
}
