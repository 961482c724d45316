import './start.css';
import { useState } from 'react';
import { SnippetTabs } from '../../plugin/snippet-tabs.tsx';
import { ownSnippets } from '../../plugin/own-snippets.ts';
import { snippetsFor, withKey, type Snippet } from '../../plugin/snippets.ts';
import { CopyButton } from '../../look/copy-button.tsx';
import { FaceChoice } from '../avatars/face-choice.tsx';
import { ANY_AVATAR, useReadyAvatars } from '../avatars/use-ready-avatars.ts';
import { Card, Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { texts } from '../texts/texts.ts';
import { KeyChoice } from './key-choice.tsx';
import { pipecatSnippet } from './pipecat-snippet.ts';
import { VENDORS } from './vendors.ts';

const t = texts.start;

/** The published plugin, which only `curl` does not use. */
const withPlugin = (snippet: Snippet): Snippet =>
  snippet.name === 'curl' ? snippet : { ...snippet, name: `bey, ${snippet.name}` };

export function StartPage() {
  const avatars = useReadyAvatars();
  const [avatarId, setAvatarId] = useState<string | null>(null);
  const [key, setKey] = useState('');
  const avatar = avatars.find(({ id }) => id === avatarId) ?? avatars[0] ?? ANY_AVATAR;
  const snippets = [
    ...ownSnippets(location.origin, avatar),
    pipecatSnippet(location.origin, avatar),
    ...snippetsFor(location.origin, avatar).map(withPlugin),
  ];
  return (
    <Page title={t.title} lede={t.lede}>
      <Card title={t.key} note={t.keyNote}>
        <KeyChoice typed={key} change={setKey} />
      </Card>
      <Card title={t.plugin}>
        <div className="stack">
          <FaceChoice label={t.avatar} avatars={avatars} value={avatar.id} change={setAvatarId} />
          <SnippetTabs snippets={withKey(snippets, key)} label={t.pluginTabs} />
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
