/* A page in React, with the component of @troupe/react. */
import { TroupeAgent } from '@troupe/react';
import { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

function Page({ service, agent }) {
  const element = useRef(null);
  const [state, setState] = useState('loading');
  const [lines, setLines] = useState([]);
  const isCalling = ['connecting', 'waiting', 'live', 'reconnecting'].includes(state);

  return (
    <>
      <div>
        <h1>The same assistant, in React</h1>
        <p role="status">State: {state}</p>
        <button
          type="button"
          disabled={state === 'loading'}
          onClick={() => (isCalling ? element.current.end() : element.current.start())}
        >
          {isCalling ? 'Hang up' : 'Call the assistant'}
        </button>
        <ol id="log" aria-label="Messages">
          {lines.map(({ sender, text }, index) => (
            <li key={index}>
              {sender}: {text}
            </li>
          ))}
        </ol>
      </div>
      <TroupeAgent
        ref={element}
        server={service}
        agent={agent}
        onState={({ state }) => setState(state)}
        onMessage={(line) => setLines((before) => [...before, line])}
      />
    </>
  );
}

const page = document.getElementById('page');
const { service, agent } = page.dataset;
createRoot(page).render(<Page service={service} agent={agent} />);
