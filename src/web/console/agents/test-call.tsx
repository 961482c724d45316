import { useEffect, useRef, useState } from 'react';
import type { TroupeFrameMessage } from '../../embed/public-types.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Card } from '../parts/page.tsx';
import { call } from '../service/service.ts';
import type { Agent } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.agents;

/** A call with the agent, beside its settings. */
export function TestCall({ agent }: { agent: Agent }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={t.test} note={agent.is_private ? t.testPrivate : t.testText}>
      {!agent.is_private && (
        <div className="actions">
          <button type="button" className="button button-lit" onClick={() => setOpen(true)}>
            {t.testOpen}
          </button>
          <a className="button" href={agent.chat_url} target="_blank" rel="noreferrer">
            <Icon name="open" />
            {t.testInTab}
          </a>
        </div>
      )}
      {isOpen && <Call agent={agent} close={() => setOpen(false)} />}
    </Card>
  );
}

function Call({ agent: { id, name }, close }: { agent: Agent; close: () => void }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    let callId: string | null = null;
    const listen = ({ source, data }: MessageEvent<TroupeFrameMessage>) => {
      if (source !== frame.current?.contentWindow) return;
      if (data.type === 'troupe-call-started') ({ callId } = data.detail);
      if (data.type === 'troupe-call-ended') callId = null;
    };
    window.addEventListener('message', listen);
    return () => {
      window.removeEventListener('message', listen);
      // Otherwise the service ends the call a minute later.
      if (callId) call('POST', `/v1/calls/${callId}/end`).catch(() => {});
    };
  }, []);
  return (
    <Dialog title={t.testWith(name)} isSheet close={close}>
      <iframe
        ref={frame}
        className="test-call"
        src={`/embed/${encodeURIComponent(id)}`}
        title={t.testWith(name)}
        allow="microphone; camera; autoplay"
      />
    </Dialog>
  );
}
