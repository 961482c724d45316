import { useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '../parts/badge.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField, CheckGroup, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Empty, Reading } from '../parts/states.tsx';
import { useMay } from '../service/me.ts';
import { useAll, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { Webhook } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { EVENTS } from './events.ts';

const t = texts.webhooks;

export function WebhooksPage() {
  const webhooks = useAll<Webhook>('/v1/webhooks');
  const canWrite = useMay('webhooks:write');
  const [isMaking, setMaking] = useState(false);
  const make = canWrite && (
    <button type="button" className="button button-lit" onClick={() => setMaking(true)}>
      <Icon name="plus" />
      {t.make}
    </button>
  );
  return (
    <Page title={t.title} lede={t.lede} actions={make}>
      <Reading query={webhooks}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={t.none} text={t.noneText} />
          ) : (
            <ul className="rows card">
              {data.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </ul>
          )
        }
      </Reading>
      {isMaking && <NewWebhook close={() => setMaking(false)} />}
    </Page>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id, url, status, description, events, disabled_reason: reason } = webhook;
  const isTrouble = status === 'disabled' && reason !== 'requested';
  return (
    <li>
      <span className="row-main">
        <Link href={`/webhooks/${id}`}>{url}</Link>
        <span className="soft">{description || events.join(', ')}</span>
      </span>
      <Badge tone={status === 'enabled' ? 'good' : isTrouble ? 'bad' : 'quiet'}>
        {t.states[status]}
      </Badge>
    </li>
  );
}

function NewWebhook({ close }: { close: () => void }) {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [events, setEvents] = useState<string[]>([...EVENTS]);
  const make = useWrite(
    () => call<{ secret: string }>('POST', '/v1/webhooks', { url, events, description }),
    ['/v1/webhooks'],
  );
  if (make.data) {
    const { secret } = make.data;
    return <SecretDialog title={t.secret} secret={secret} note={t.secretNote} close={close} />;
  }
  return (
    <Dialog title={t.make} close={close}>
      <Form
        submit={() => make.mutate()}
        error={make.error}
        isBusy={make.isPending || events.length === 0}
        action={texts.states.create}
        cancel={close}
      >
        <TextField
          name="url"
          label={t.url}
          hint={t.urlHint}
          type="url"
          value={url}
          change={setUrl}
          maxLength={2048}
          required
        />
        <TextField
          name="description"
          label={t.description}
          value={description}
          change={setDescription}
          maxLength={500}
        />
        <CheckGroup name="events" label={t.events}>
          {EVENTS.map((name) => (
            <CheckField
              key={name}
              label={name}
              isChecked={events.includes(name)}
              change={(isChecked) =>
                setEvents(isChecked ? [...events, name] : events.filter((each) => each !== name))
              }
            />
          ))}
        </CheckGroup>
      </Form>
    </Dialog>
  );
}
