import './requests.css';
import { useState } from 'react';
import { Badge } from '../parts/badge.tsx';
import { formatClock, formatMs } from '../parts/format.ts';
import { Page } from '../parts/page.tsx';
import { Empty, Reading } from '../parts/states.tsx';
import { useRead } from '../service/queries.ts';
import { texts } from '../texts/texts.ts';

const t = texts.requests;

type LoggedRequest = {
  id: string;
  at: string;
  method: string;
  path: string;
  status: number;
  duration_ms: number;
  request_body: string | null;
  response_body: string | null;
};

type Answer = keyof typeof t.answers;

/** Requests arrive all the time, and no event reports them. */
const OFTEN_MS = 3_000;

export function RequestsPage() {
  const [answer, setAnswer] = useState<Answer>('all');
  const query = answer === 'all' ? '' : `?status=${answer}`;
  const log = useRead<{ data: LoggedRequest[] }>(`/v1/request-log${query}`, { everyMs: OFTEN_MS });
  return (
    <Page title={t.title} lede={t.lede}>
      <fieldset className="segments">
        <legend className="unseen">{t.answer}</legend>
        {(Object.keys(t.answers) as Answer[]).map((value) => (
          <label key={value}>
            <input
              type="radio"
              name="answer"
              checked={answer === value}
              onChange={() => setAnswer(value)}
            />
            <span>{t.answers[value]}</span>
          </label>
        ))}
      </fieldset>
      <Reading query={log} lines={6}>
        {({ data }) => {
          if (data.length > 0) {
            return (
              <ul className="requests">
                {data.map((request) => (
                  <li key={request.id}>
                    <RequestLine request={request} />
                  </li>
                ))}
              </ul>
            );
          }
          if (answer === 'all') return <Empty title={t.none} text={t.noneText} />;
          return <Empty title={t.noneFound} text={t.noneFoundText} />;
        }}
      </Reading>
    </Page>
  );
}

function RequestLine({ request }: { request: LoggedRequest }) {
  const { at, method, path, status, duration_ms } = request;
  return (
    <details>
      <summary>
        <Badge tone={status < 400 ? 'good' : 'bad'}>{status}</Badge>
        <code>
          {method} {path}
        </code>
        <span className="soft">
          {formatClock(at)}, {t.took(formatMs(duration_ms))}
        </span>
      </summary>
      <div className="request-bodies">
        <Body title={t.asked} text={request.request_body} />
        <Body title={t.answered} text={request.response_body} />
      </div>
    </details>
  );
}

function Body({ title, text }: { title: string; text: string | null }) {
  return (
    <section>
      <h2>{title}</h2>
      {text === null ? (
        <p className="soft">{t.noBody}</p>
      ) : (
        <pre tabIndex={0} role="region" aria-label={title}>
          {text}
        </pre>
      )}
    </section>
  );
}
