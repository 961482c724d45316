import { useState } from 'react';
import { Badge } from '../parts/badge.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { formatMs } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Problem, Reading } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useMay } from '../service/me.ts';
import { useAll, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { ExternalApi } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.apis;

export function ApisPage() {
  const apis = useAll<ExternalApi>('/v1/external-apis');
  const canWrite = useMay('external_apis:write');
  const [isMaking, setMaking] = useState(false);
  const make = canWrite && (
    <button type="button" className="button button-lit" onClick={() => setMaking(true)}>
      <Icon name="plus" />
      {t.make}
    </button>
  );
  return (
    <Page title={t.title} lede={t.lede} actions={make}>
      <Reading query={apis}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={t.none} text={t.noneText} />
          ) : (
            <Table label={t.title} columns={Object.values(t.columns)}>
              {data.map((api) => (
                <ApiRow key={api.id} api={api} canWrite={canWrite} />
              ))}
            </Table>
          )
        }
      </Reading>
      {isMaking && <NewApi close={() => setMaking(false)} />}
    </Page>
  );
}

type Outcome = { ok: boolean; detail: string; took_ms: number };

function ApiRow({
  api: { id, name, type, url },
  canWrite,
}: {
  api: ExternalApi;
  canWrite: boolean;
}) {
  const check = useWrite(() => call<Outcome>('POST', `/v1/external-apis/${id}/check`, {}), []);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label={t.columns.type} className="soft">
        {t.types[type] ?? type}
      </td>
      <td data-label={t.columns.url}>
        <code>{url}</code>
      </td>
      <td>
        {canWrite && (
          <div className="actions">
            <button
              type="button"
              className="button button-small"
              aria-label={t.checkOf(name)}
              disabled={check.isPending}
              onClick={() => check.mutate()}
            >
              {check.isPending ? t.checking : t.check}
            </button>
            <DeleteButton
              path={`/v1/external-apis/${id}`}
              changes={['/v1/external-apis']}
              title={t.deleteTitle(name)}
              text={t.deleteText}
              done={t.deleted}
            />
          </div>
        )}
        <div role="status">
          {check.data && (
            <p className="below">
              <Badge tone={check.data.ok ? 'good' : 'bad'}>
                {check.data.ok ? t.works(formatMs(check.data.took_ms)) : check.data.detail}
              </Badge>
            </p>
          )}
        </div>
        {check.error && <Problem error={check.error} />}
      </td>
    </tr>
  );
}

function NewApi({ close }: { close: () => void }) {
  const [fields, setFields] = useState({
    type: 'openai_compatible_llm',
    name: '',
    url: '',
    api_key: '',
  });
  const make = useWrite(async () => {
    await call('POST', '/v1/external-apis', fields);
    close();
  }, ['/v1/external-apis']);
  return (
    <Dialog title={t.make} close={close}>
      <Form
        submit={() => make.mutate()}
        error={make.error}
        isBusy={make.isPending}
        action={texts.states.create}
        cancel={close}
      >
        <SelectField
          name="type"
          label={t.type}
          value={fields.type}
          choices={Object.entries(t.types).map(([value, label]) => ({ value, label }))}
          change={(type) => setFields({ ...fields, type })}
        />
        <TextField
          name="name"
          label={t.name}
          value={fields.name}
          change={(name) => setFields({ ...fields, name })}
          maxLength={100}
          required
        />
        <TextField
          name="url"
          label={t.url}
          hint={t.urlHint}
          type="url"
          value={fields.url}
          change={(url) => setFields({ ...fields, url })}
          maxLength={2048}
          required
        />
        <TextField
          name="api_key"
          label={t.key}
          hint={t.keyHint}
          type="password"
          value={fields.api_key}
          change={(api_key) => setFields({ ...fields, api_key })}
          maxLength={4096}
          required
        />
      </Form>
    </Dialog>
  );
}
