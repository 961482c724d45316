import { useState } from 'react';
import { useLocation } from 'wouter';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { Facts } from '../parts/facts.tsx';
import { formatDateTime } from '../parts/format.ts';
import { useSay } from '../parts/notices.tsx';
import { Card, Page } from '../parts/page.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Problem, Reading } from '../parts/states.tsx';
import { useMay } from '../service/me.ts';
import { useRead, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { Webhook } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { Deliveries } from './deliveries.tsx';

const t = texts.webhooks;

export function WebhookPage({ id }: { id: string }) {
  const path = `/v1/webhooks/${encodeURIComponent(id)}`;
  const webhook = useRead<Webhook>(path);
  const canWrite = useMay('webhooks:write');
  return (
    <Page
      title={webhook.data ? new URL(webhook.data.url).host : t.title}
      up={{ href: '/webhooks', label: t.title }}
      actions={canWrite && webhook.data && <Actions path={path} webhook={webhook.data} />}
    >
      <Reading query={webhook}>
        {({ url, events, description, status, disabled_reason: reason, created_at }) => (
          <Card>
            <Facts
              facts={[
                { name: t.url, value: <code>{url}</code> },
                { name: t.description, value: description || texts.states.none },
                { name: t.events, value: events.join(', ') },
                {
                  name: t.columns.state,
                  value: (
                    <>
                      <Badge tone={status === 'enabled' ? 'good' : 'bad'}>{t.states[status]}</Badge>{' '}
                      {reason && t.disabledReasons[reason]}
                    </>
                  ),
                },
                { name: t.columns.at, value: formatDateTime(created_at) },
              ]}
            />
          </Card>
        )}
      </Reading>
      <Deliveries path={path} canWrite={canWrite} />
    </Page>
  );
}

function Actions({ path, webhook }: { path: string; webhook: Webhook }) {
  const say = useSay();
  const [, go] = useLocation();
  const [isRotating, setRotating] = useState(false);
  const isEnabled = webhook.status === 'enabled';
  const test = useWrite(async () => {
    await call('POST', `${path}/test`);
    say(t.tested);
  }, [path]);
  const change = useWrite(async () => {
    await call('PATCH', path, { status: isEnabled ? 'disabled' : 'enabled' });
    say(isEnabled ? t.disabled : t.enabled);
  }, ['/v1/webhooks']);
  const error = test.error ?? change.error;
  return (
    <>
      <button
        type="button"
        className="button button-small button-lit"
        disabled={test.isPending}
        onClick={() => test.mutate()}
      >
        {t.test}
      </button>
      <button
        type="button"
        className="button button-small"
        disabled={change.isPending}
        onClick={() => change.mutate()}
      >
        {isEnabled ? t.disable : t.enable}
      </button>
      <button type="button" className="button button-small" onClick={() => setRotating(true)}>
        {t.rotate}
      </button>
      <DeleteButton
        path={path}
        changes={['/v1/webhooks']}
        title={t.deleteTitle}
        text={t.deleteText}
        done={t.deleted}
        then={() => go('/webhooks')}
      />
      {error && <Problem error={error} />}
      {isRotating && <Rotate path={path} close={() => setRotating(false)} />}
    </>
  );
}

function Rotate({ path, close }: { path: string; close: () => void }) {
  const rotate = useWrite(() => call<{ secret: string }>('POST', `${path}/rotate-secret`), [path]);
  if (rotate.data) {
    const { secret } = rotate.data;
    return <SecretDialog title={t.secret} secret={secret} note={t.secretNote} close={close} />;
  }
  return (
    <Confirm
      title={t.rotateTitle}
      action={t.rotate}
      isHarmless
      isBusy={rotate.isPending}
      error={rotate.error}
      act={() => rotate.mutate()}
      close={close}
    >
      <p>{t.rotateText}</p>
    </Confirm>
  );
}
