import { useState } from 'react';
import { Confirm } from '../parts/confirm.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { Agent } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.agents;

type PrivacyProps = { agent: Agent; path: string; canWrite: boolean };

/** Whether everyone with the link may talk to the agent. */
export function Privacy({ agent, path, canWrite }: PrivacyProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="stack">
      <p className="soft">
        {agent.is_private ? t.privateText : t.shareText}{' '}
        {agent.is_private && <a href="/docs/agents">{t.privateDocs}</a>}
      </p>
      {canWrite && (
        <div className="actions">
          {agent.is_private ? (
            <DeleteButton
              path={`${path}/link-secret`}
              changes={['/v1/agents']}
              label={t.makePublic}
              title={t.makePublicTitle}
              text={t.makePublicText}
              done={t.madePublic}
            />
          ) : (
            <button type="button" className="button button-small" onClick={() => setAsking(true)}>
              {t.makePrivate}
            </button>
          )}
        </div>
      )}
      {isAsking && <MakePrivate path={path} close={() => setAsking(false)} />}
    </div>
  );
}

function MakePrivate({ path, close }: { path: string; close: () => void }) {
  const make = useWrite(
    () => call<{ link_secret: string }>('POST', `${path}/link-secret`),
    ['/v1/agents'],
  );
  if (make.data) {
    const { link_secret: secret } = make.data;
    return <SecretDialog title={t.secret} secret={secret} note={t.secretNote} close={close} />;
  }
  return (
    <Confirm
      title={t.makePrivate}
      action={t.makePrivate}
      isHarmless
      isBusy={make.isPending}
      error={make.error}
      act={() => make.mutate()}
      close={close}
    >
      <p>{t.makePrivateText}</p>
    </Confirm>
  );
}
