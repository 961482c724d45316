import { useState } from 'react';
import { DeleteButton } from '../parts/delete-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Reading } from '../parts/states.tsx';
import { useAll, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';

const t = texts.accounts.domains;

const roleChoices = Object.entries(texts.people.roles).map(([value, label]) => ({ value, label }));

type Domain = { id: string; domain: string; role: string };

type AccountDomainsProps = { account: { id: string; name: string }; close: () => void };

/** E-mail domains whose people join the account when they first sign in. */
export function AccountDomains({ account: { id, name }, close }: AccountDomainsProps) {
  const path = `/admin/accounts/${id}/domains`;
  const domains = useAll<Domain>(path);
  const [domain, setDomain] = useState('');
  const [role, setRole] = useState('viewer');
  const add = useWrite(async () => {
    await call('POST', path, { domain: domain.trim(), role });
    setDomain('');
  }, [path]);
  return (
    <Dialog title={t.title(name)} close={close}>
      <div className="stack">
        <p className="soft">
          {t.note} <a href="/docs/people#domains-of-an-account">{t.more}</a>
        </p>
        <Reading query={domains} lines={1}>
          {({ data }) =>
            data.length === 0 ? (
              <p>{t.none}</p>
            ) : (
              <ul className="rows">
                {data.map((each) => (
                  <li key={each.id}>
                    <span>{each.domain}</span>
                    <span className="tag">{each.role}</span>
                    <DeleteButton
                      path={`${path}/${each.id}`}
                      changes={[path]}
                      label={t.remove}
                      title={t.removeTitle(each.domain)}
                      text={t.removeText}
                      done={t.removed}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Reading>
        <Form submit={() => add.mutate()} error={add.error} isBusy={add.isPending} action={t.add}>
          <TextField
            name="domain"
            label={t.domain}
            placeholder="example.com"
            value={domain}
            change={setDomain}
            minLength={3}
            maxLength={253}
            required
          />
          <SelectField
            name="role"
            label={texts.people.role}
            value={role}
            choices={roleChoices}
            change={setRole}
          />
        </Form>
      </div>
    </Dialog>
  );
}
