import './start.css';
import { useState } from 'react';
import { SnippetTabs } from '../../plugin/snippet-tabs.tsx';
import { snippetsFor } from '../../plugin/snippets.ts';
import { CopyButton } from '../../look/copy-button.tsx';
import { ShownOnce } from '../parts/code.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Problem } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useMay, useMe } from '../service/me.ts';
import { useAll, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { Avatar } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { pipecatSnippet } from './pipecat-snippet.ts';
import { VENDORS } from './vendors.ts';

const t = texts.start;

/** Placeholder in the snippets while there is no key. */
const NO_KEY = 'YOUR_KEY';

export function StartPage() {
  const avatars = useAll<Avatar>(useMay('avatars:read') ? '/v1/avatars' : null);
  const ready = avatars.data?.data.filter(({ status }) => status === 'ready') ?? [];
  const [avatarId, setAvatarId] = useState<string | null>(null);
  const [key, setKey] = useState('');
  const avatar = ready.find(({ id }) => id === avatarId) ??
    ready[0] ?? { id: 'nora', name: 'Nora' };
  const allSnippets = [
    ...snippetsFor(location.origin, avatar),
    pipecatSnippet(location.origin, avatar),
  ];
  const snippets = allSnippets.map((snippet) => ({
    ...snippet,
    code: snippet.code.replaceAll(NO_KEY, key || NO_KEY),
  }));
  return (
    <Page title={t.title} lede={t.lede}>
      <Card title={t.key} note={t.keyNote}>
        <KeyChoice typed={key} change={setKey} />
      </Card>
      <Card title={t.plugin}>
        <div className="stack">
          <div className="avatar-choice">
            <SelectField
              label={t.avatar}
              value={avatar.id}
              choices={ready.map(({ id, name }) => ({ value: id, label: name }))}
              change={setAvatarId}
            />
          </div>
          <SnippetTabs snippets={snippets} label={t.pluginTabs} />
          <p className="soft">
            <a href="/docs/pipecat">{t.pipecatNote}</a>
          </p>
        </div>
      </Card>
      <Card title={t.vendors} note={t.vendorsNote}>
        <Table label={t.vendorsTable} columns={[t.service, t.address, t.guide]}>
          {VENDORS.map(({ word, name }) => (
            <tr key={word}>
              <th scope="row">{name}</th>
              <td>
                <span className="vendor-address">
                  <code>{`${location.origin}/compat/${word}`}</code>
                  <CopyButton
                    text={`${location.origin}/compat/${word}`}
                    label={texts.states.copy(name)}
                  />
                </span>
              </td>
              <td>
                <a href={`/docs/coming-from/${word}`}>{t.lines(name)}</a>
              </td>
            </tr>
          ))}
        </Table>
      </Card>
      <Card title={t.first} note={t.firstText}>
        <a className="button" href="/try">
          {t.tryPage}
        </a>
      </Card>
    </Page>
  );
}

/** Makes a key or takes the user's own. It stays in the memory of the page. */
function KeyChoice({ typed, change }: { typed: string; change: (key: string) => void }) {
  const canMake = useMay('api_keys:write');
  // A key does no more than the person who makes it.
  const { scopes } = useMe();
  const make = useWrite(async () => {
    const createdKey = await call<{ key: string }>('POST', '/v1/api-keys', {
      name: t.keyName,
      scopes,
    });
    change(createdKey.key);
    return createdKey;
  }, ['/v1/api-keys']);
  if (make.data) {
    return <ShownOnce label={t.key} secret={make.data.key} note={texts.keys.madeNote} />;
  }
  return (
    <div className="key-choice">
      {canMake && (
        <button
          type="button"
          className="button button-lit"
          disabled={make.isPending}
          onClick={() => make.mutate()}
        >
          {t.makeKey}
        </button>
      )}
      <TextField label={t.haveKey} value={typed} change={change} spellCheck={false} />
      {make.error && <Problem error={make.error} />}
    </div>
  );
}
