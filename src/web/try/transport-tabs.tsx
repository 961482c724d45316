import './transport-tabs.css';
import { useRef, type KeyboardEvent } from 'react';
import type { Transport } from './service.ts';

const tabs = {
  mediaserver: { name: 'LiveKit room', about: 'WebRTC, for agents on LiveKit.', docs: '/docs' },
  botroom: {
    name: 'Botroom',
    about: 'One websocket, for Pipecat pipelines.',
    docs: '/docs/botroom',
  },
};
const transports = Object.keys(tabs) as Transport[];

type Props = {
  transport: Transport;
  /** The tab panel; each tab's id is made of it. */
  panelId: string;
  onTransport: (transport: Transport) => void;
};

/**
 * Chooses how the page reaches the avatar. Each choice starts a session, so arrow keys only move
 * the focus.
 */
export function TransportTabs({ transport, panelId, onTransport }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const index = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (index === undefined) return;
    event.preventDefault();
    buttons.at(index % buttons.length)?.focus();
  };

  return (
    <div className="transport">
      <div ref={list} role="tablist" aria-label="Transport" onKeyDown={onKey}>
        {transports.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`${panelId}-${each}`}
            aria-controls={panelId}
            aria-selected={transport === each}
            tabIndex={transport === each ? 0 : -1}
            onClick={() => transport !== each && onTransport(each)}
          >
            {tabs[each].name}
          </button>
        ))}
      </div>
      <p className="soft">
        {tabs[transport].about} <a href={tabs[transport].docs}>How it works</a>
      </p>
    </div>
  );
}
