import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Abilities } from '#protocol/abilities.ts';
import { AbilityList } from '../abilities/ability-list.tsx';
import type { TroupeAgentElement } from '../embed/public-types.ts';
import type { Host, Service } from '../try/service.ts';
import { chosenHost, keepChoice } from './chosen-host.ts';
import { Face } from './face.tsx';
import { NoHost } from './no-host.tsx';
import type { FrontWords } from './words/front-words.ts';

declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- React declares its elements there
  namespace JSX {
    interface IntrinsicElements {
      'troupe-agent': {
        ref: React.Ref<TroupeAgentElement>;
        agent: string;
        hidden: boolean;
        tabIndex: number;
      };
    }
  }
}

type Props = { words: FrontWords; hosts: Host[]; service: Service };

export function Talk({ words, hosts, service }: Props) {
  const [host, setHost] = useState(() => chosenHost(hosts));
  if (!host) return <NoHost words={words} />;
  const choose = (id: string) => {
    const chosen = hosts.find((each) => each.id === id) ?? host;
    keepChoice(chosen);
    setHost(chosen);
  };
  return (
    <section className="shell front">
      <div className="front-words">
        <h1>{words.talkHeading(host.name)}</h1>
        <p className="lede">{words.talkLede}</p>
        {hosts.length > 1 && (
          <label className="front-choice">
            {words.agent}
            <select value={host.id} onChange={(event) => choose(event.target.value)}>
              {hosts.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <Stage key={host.id} words={words} host={host} />
      <Facts key={`facts of ${host.id}`} host={host} service={service} />
    </section>
  );
}

/** While speech is being installed. */
const LOOK_EVERY_MS = 10_000;

function Facts({ host, service }: { host: Host; service: Service }) {
  const [abilities, setAbilities] = useState<Abilities | null>(null);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    // The page is whole without them.
    service.abilities(host).then(setAbilities, (error: unknown) => console.warn(error));
  }, [service, host, looks]);
  const isInstalling = (abilities?.installing.length ?? 0) > 0;
  useEffect(() => {
    if (!isInstalling) return;
    const timer = setInterval(() => setLooks((count) => count + 1), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isInstalling]);
  return (
    <div className="front-facts" lang="en">
      {abilities && <AbilityList abilities={abilities} />}
      <p className="soft">
        <a href={`/console/agents/${host.id}`}>Change {host.name}</a> or{' '}
        <a href="/docs/agents">read how agents hear and think</a>.
      </p>
    </div>
  );
}

/** A face with one button, which becomes the call. */
function Stage({ words, host }: { words: FrontWords; host: Host }) {
  const [hasBegun, setHasBegun] = useState(false);
  const [isReady, setIsReady] = useState(false);
  const call = useRef<TroupeAgentElement>(null);
  useEffect(() => {
    const element = call.current;
    const follow = () => {
      setIsReady(element?.state === 'ready');
      // Also a call that goes on after a reload, and an error.
      if (element && !['loading', 'ready'].includes(element.state)) setHasBegun(true);
    };
    follow();
    element?.addEventListener('troupe-state', follow);
    return () => element?.removeEventListener('troupe-state', follow);
  }, []);
  const begin = () => {
    flushSync(() => setHasBegun(true));
    // The pressed button is gone, so move the focus to the call.
    call.current?.focus();
    void call.current?.start();
  };
  return (
    <div className="front-stage">
      {!hasBegun && (
        <>
          <Face words={words} host={host} />
          <button
            type="button"
            className="button button-lit front-begin"
            disabled={!isReady}
            onClick={begin}
          >
            {words.talkWith(host.name)}
          </button>
        </>
      )}
      <troupe-agent ref={call} agent={host.id} hidden={!hasBegun} tabIndex={-1} />
    </div>
  );
}
