import './docs.css';
import { PLANS, type Plan } from '../../accounts/plan.ts';
import { FAULTS } from '../../errors.ts';

const plans: [string, Plan][] = Object.entries(PLANS);
const faults = Object.entries(FAULTS).toSorted(([, a], [, b]) => a.status - b.status);

const sizes = [
  [
    'A request body',
    '64 KiB; for an agent 256 KiB; for a knowledge file with its text 8 MiB; for a photo and its background 16 MiB each',
  ],
  ['Text in a knowledge file request', '500,000 characters; upload longer texts as a file'],
  ['A chunk of a knowledge file', '8 MiB'],
  ['A knowledge file', '64 MiB; deleted if it gets no chunk for 24 hours and is not submitted'],
  [
    'The text of a PDF',
    '5,000 pages, 16 million characters, extracted within 20 s and 512 MiB of memory; larger files are refused, and files without text',
  ],
  ['PDFs that an account submits at once', 'two; each waits at most 40 s for its turn'],
  [
    'The photo of an avatar, its background',
    '16 MiB, at least 256 by 256 pixels, at most 40 million pixels',
  ],
  ['Building an avatar', 'ten minutes, including the wait for a worker; then the build has failed'],
  ['A page of a list', '1 to 50 entries, 10 by default'],
  [
    'An Idempotency-Key',
    '24 hours: the same request gets the same response; a different body is refused',
  ],
] as const;

const sizeOf = (mib: number): string => (mib < 1024 ? `${mib} MiB` : `${mib / 1024} GiB`);

export function LimitsPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>Limits and errors</h1>
        <p className="lede">
          Limits of accounts and requests, and what to do when a request is refused.
        </p>
      </header>

      <section aria-labelledby="plans">
        <h2 id="plans">Plans</h2>
        <p>
          Every account has a plan. Your first account is <code>unlimited</code>. The operator of
          the service sets the plans of other accounts under <code>/admin</code>.
        </p>
        <div className="docs-table" tabIndex={0} role="region" aria-labelledby="plans">
          <table>
            <thead>
              <tr>
                <th scope="col">Plan</th>
                <th scope="col">Sessions at once</th>
                <th scope="col">Minutes per month</th>
                <th scope="col">Beyond that</th>
                <th scope="col">Own avatars</th>
                <th scope="col">Agents</th>
                <th scope="col">Knowledge files</th>
                <th scope="col">Files and avatars in all</th>
                <th scope="col">External APIs</th>
                <th scope="col">Media server rooms</th>
              </tr>
            </thead>
            <tbody>
              {plans.map(([name, plan]) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td>{plan.concurrentSessions ?? 'no limit but the slots'}</td>
                  <td>{plan.minutesPerMonth?.toLocaleString('en') ?? 'no limit'}</td>
                  <td>{plan.hasOverage ? 'allowed' : 'refused'}</td>
                  <td>{plan.ownAvatars ?? 'no limit'}</td>
                  <td>{plan.agents?.toLocaleString('en') ?? 'no limit'}</td>
                  <td>{plan.knowledgeFiles?.toLocaleString('en') ?? 'no limit'}</td>
                  <td>{plan.storedMiB === null ? 'no limit' : sizeOf(plan.storedMiB)}</td>
                  <td>
                    {plan.features.includes('external_apis')
                      ? (plan.externalApis?.toLocaleString('en') ?? 'no limit')
                      : 'no'}
                  </td>
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
          <code>REQUESTS_PER_MINUTE</code> limits the requests of each key. The{' '}
          <code>RateLimit</code> headers of each response show how many are left.{' '}
          <code>EVENT_STREAMS_PER_KEY</code> limits the event streams that a key holds open.
        </p>
      </section>

      <section aria-labelledby="errors">
        <h2 id="errors">Errors</h2>
        <p>
          Every refused request gets a status and a body with <code>detail</code>: a sentence or,
          for a 422, a list of the invalid fields. <code>code</code> is the stable name of the
          error, <code>advice</code> says what to do, <code>docs</code> leads here. Branch on the
          status or the code; the wording may change. Retry after 429 and 503, with growing delays,
          and wait at least as long as <code>Retry-After</code> says. For other errors, change the
          request instead of retrying.
        </p>
        <dl className="docs-states narrow">
          {faults.map(([code, { status, detail, advice }]) => (
            <div key={code} id={code}>
              <dt>
                <code>{status}</code>
              </dt>
              <dd>
                <code>{code}</code>: {detail} {advice}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </article>
  );
}
