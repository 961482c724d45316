import { useState } from 'react';
import { DeleteButton } from '../parts/delete-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { useSay } from '../parts/notices.tsx';
import { Icon } from '../parts/icon.tsx';
import { Card, Page } from '../parts/page.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Problem, Reading } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Ago } from '../parts/time.tsx';
import { useMay, useMe } from '../service/me.ts';
import { useAll, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { Invitation, Person } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.people;

const roleChoices = Object.entries(t.roles).map(([value, label]) => ({ value, label }));

export function PeoplePage() {
  const canWrite = useMay('people:write');
  const people = useAll<Person>('/v1/people');
  const invitations = useAll<Invitation>('/v1/invitations');
  const [isInviting, setInviting] = useState(false);
  const invite = canWrite && (
    <button type="button" className="button button-lit" onClick={() => setInviting(true)}>
      <Icon name="plus" />
      {t.invite}
    </button>
  );
  return (
    <Page title={t.title} lede={t.lede} actions={invite}>
      <Reading query={people}>
        {({ data }) => (
          <Table label={t.title} columns={Object.values(t.columns)}>
            {data.map((person) => (
              <PersonRow key={person.id} person={person} canWrite={canWrite} />
            ))}
          </Table>
        )}
      </Reading>
      <Card title={t.open}>
        <Reading query={invitations} lines={1}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="soft">{t.noOpen}</p>
            ) : (
              <ul className="rows">
                {data.map(({ id, name, role, expires_at }) => (
                  <li key={id}>
                    <span>{name ?? t.nameless}</span>
                    <span className="tag">{role}</span>
                    <span className="soft">
                      {t.expires} <Ago at={expires_at} />
                    </span>
                    {canWrite && (
                      <DeleteButton
                        path={`/v1/invitations/${id}`}
                        changes={['/v1/invitations']}
                        label={t.withdraw}
                        title={t.withdrawTitle}
                        text={t.withdrawText}
                        done={t.withdrawn}
                      />
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </Reading>
      </Card>
      {isInviting && <Invite close={() => setInviting(false)} />}
    </Page>
  );
}

function PersonRow({ person, canWrite }: { person: Person; canWrite: boolean }) {
  const { id, name, role, is_operator: isOperator, last_sign_in_at } = person;
  const me = useMe();
  const isMe = me.id === id;
  const say = useSay();
  const change = useWrite(
    async (changed: string) => {
      await call('PATCH', `/v1/people/${id}`, { role: changed });
      say(t.roleChanged);
    },
    ['/v1/people'],
  );
  const link = useWrite(
    () => call<{ link: string }>('POST', `/v1/people/${id}/sign-in-links`, {}),
    [],
  );
  return (
    <tr>
      <th scope="row">
        {name} {isMe && <span className="tag">{t.you}</span>}
      </th>
      <td data-label={t.columns.role}>
        {canWrite && !isMe ? (
          <select
            aria-label={t.roleOf(name)}
            value={role ?? undefined}
            disabled={change.isPending}
            onChange={(event) => change.mutate(event.target.value)}
          >
            {roleChoices.map(({ value }) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        ) : (
          <span className="tag">{role}</span>
        )}
        {change.error && <Problem error={change.error} />}
      </td>
      <td data-label={t.columns.seen} className="soft">
        {last_sign_in_at ? <Ago at={last_sign_in_at} /> : texts.states.never}
      </td>
      <td>
        {canWrite && !isMe && (
          <div className="actions">
            {(!isOperator || me.is_operator) && (
              <button
                type="button"
                className="button button-small"
                disabled={link.isPending}
                onClick={() => link.mutate()}
              >
                {t.signInLink}
              </button>
            )}
            <DeleteButton
              path={`/v1/people/${id}`}
              changes={['/v1/people']}
              label={t.remove}
              title={t.removeTitle(name)}
              text={t.removeText}
              done={t.removed}
            />
          </div>
        )}
        {link.error && <Problem error={link.error} />}
        {link.data && (
          <SecretDialog
            title={t.signInLink}
            secret={link.data.link}
            note={t.signInLinkNote}
            close={link.reset}
          />
        )}
      </td>
    </tr>
  );
}

function Invite({ close }: { close: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState('builder');
  const invite = useWrite(
    () =>
      call<{ link: string }>('POST', '/v1/invitations', {
        role,
        ...(name.trim() && { name: name.trim() }),
      }),
    ['/v1/invitations'],
  );
  if (invite.data) {
    return (
      <SecretDialog title={t.link} secret={invite.data.link} note={t.linkNote} close={close} />
    );
  }
  return (
    <Dialog title={t.invite} close={close}>
      <Form
        submit={() => invite.mutate()}
        error={invite.error}
        isBusy={invite.isPending}
        action={t.invite}
        cancel={close}
      >
        <TextField
          name="name"
          label={t.name}
          hint={t.nameHint}
          value={name}
          change={setName}
          maxLength={100}
        />
        <SelectField
          name="role"
          label={t.role}
          value={role}
          choices={roleChoices}
          change={setRole}
        />
      </Form>
    </Dialog>
  );
}
