import './front-page.css';
import '../embed/define.ts';
import { useEffect, useState } from 'react';
import { PageAccess } from '../access/page-access.ts';
import { browserKeep, onCode, takeCode } from '../access/page-link.ts';
import { NoticeCard } from '../try/notice-card.tsx';
import { Service } from '../try/service.ts';
import { Entrances } from './entrances.tsx';
import { RecordedFace } from './face.tsx';
import { StrangerCard } from './stranger-card.tsx';
import { Talk } from './talk.tsx';
import { useHosts } from './use-hosts.ts';
import type { FrontWords } from './words/front-words.ts';

/** A conversation for those who may open one; a recorded face for everyone else. */
export function FrontPage({ words }: { words: FrontWords }) {
  const [access] = useState(() => new PageAccess(takeCode(), browserKeep()));
  const [service] = useState(() => new Service(access));
  const [hosts, load] = useHosts(service, words);

  useEffect(
    () =>
      onCode((code) => {
        access.useCode(code);
        load();
      }),
    [access, load],
  );
  const enter = (password: string) => {
    access.usePassword(password);
    load();
  };

  return (
    <>
      {hosts.type === 'here' ? (
        <Talk words={words} hosts={hosts.hosts} service={service} />
      ) : (
        <section className="shell front">
          <div className="front-words">
            <h1>{words.headline}</h1>
            <p className="lede">{words.lede}</p>
            {hosts.type === 'stranger' && (
              <StrangerCard words={words} stranger={hosts} onPassword={enter} />
            )}
            {hosts.type === 'failed' && (
              <NoticeCard notice={hosts.notice} onRetry={load} retryLabel={words.tryAgain} />
            )}
          </div>
          <RecordedFace words={words} />
        </section>
      )}
      <Entrances />
    </>
  );
}
