import { useState } from 'react';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useSay } from '../parts/notices.tsx';
import { Card } from '../parts/page.tsx';
import { Empty, Loading, Problem, Reading } from '../parts/states.tsx';
import { More, Table } from '../parts/table.tsx';
import { Ago, useNow } from '../parts/time.tsx';
import { useList, useRead, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { WebhookDelivery } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.webhooks;

const tones: Record<WebhookDelivery['status'], Tone> = {
  pending: 'waiting',
  delivered: 'good',
  failed: 'bad',
};

const OFTEN_MS = 3_000;

export function Deliveries({ path, canWrite }: { path: string; canWrite: boolean }) {
  const list = useList<WebhookDelivery>(`${path}/deliveries`, { everyMs: OFTEN_MS });
  return (
    <Card title={t.deliveries}>
      {!list.items && (list.error ? <Problem error={list.error} /> : <Loading />)}
      {list.items?.length === 0 && <Empty title={t.noDeliveries} text={t.noDeliveriesText} />}
      {list.items && list.items.length > 0 && (
        <>
          <Table label={t.deliveries} columns={Object.values(t.columns)}>
            {list.items.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                path={`${path}/deliveries/${delivery.id}`}
                listPath={path}
                canWrite={canWrite}
              />
            ))}
          </Table>
          <More
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            load={() => void list.fetchNextPage()}
          />
        </>
      )}
    </Card>
  );
}

type DeliveryRowProps = {
  delivery: WebhookDelivery;
  path: string;
  listPath: string;
  canWrite: boolean;
};

function DeliveryRow({ delivery, path, listPath, canWrite }: DeliveryRowProps) {
  const { type, status, attempts, created_at, answer_status, error, next_attempt_at } = delivery;
  const say = useSay();
  const now = useNow(15_000);
  const [isOpen, setOpen] = useState(false);
  const redelivery = useWrite(async () => {
    await call('POST', `${path}/redeliver`);
    say(t.redelivered);
  }, [listPath]);
  return (
    <tr>
      <th scope="row">
        <code>{type}</code>
      </th>
      <td data-label={t.columns.state}>
        <Badge tone={tones[status]}>{t.deliveryStates[status]}</Badge>
      </td>
      <td data-label={t.columns.answer}>
        {answer_status}
        {error && <span className="soft below">{error}</span>}
      </td>
      <td data-label={t.columns.attempts}>
        {attempts}
        {next_attempt_at && Date.parse(next_attempt_at) > now && (
          <span className="soft below">
            {t.next} <Ago at={next_attempt_at} />
          </span>
        )}
      </td>
      <td data-label={t.columns.at} className="soft">
        <Ago at={created_at} />
      </td>
      <td>
        <div className="actions">
          <button type="button" className="button button-small" onClick={() => setOpen(true)}>
            {t.body}
          </button>
          {canWrite && (
            <button
              type="button"
              className="button button-small"
              disabled={redelivery.isPending}
              onClick={() => redelivery.mutate()}
            >
              {t.redeliver}
            </button>
          )}
        </div>
        {redelivery.error && <Problem error={redelivery.error} />}
        {isOpen && (
          <Dialog title={t.bodyOf(type)} isSheet close={() => setOpen(false)}>
            <SentBody path={path} />
          </Dialog>
        )}
      </td>
    </tr>
  );
}

function SentBody({ path }: { path: string }) {
  const delivery = useRead<{ body: string | null }>(path);
  return (
    <Reading query={delivery}>
      {({ body }) =>
        body === null ? (
          <p className="soft">{t.bodyGone}</p>
        ) : (
          <pre className="sent-body" tabIndex={0} role="region" aria-label={t.body}>
            {pretty(body)}
          </pre>
        )
      }
    </Reading>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // A body that was cut is shown as it is.
    return body;
  }
}
