import './cards.css';
import type { Agent } from '../call/connection/chat-service.ts';
import { endingWords } from '../call/texts/end-texts.ts';
import type { Line } from '../call/state/call-state.ts';
import { Said } from './conversation/said.tsx';
import { download, transcriptText } from '../call/chat/transcript-file.ts';

type Props = { agent: Agent; reason: string; lines: Line[]; onAgain: () => void };

export function EndScreen({ agent, reason, lines, onAgain }: Props) {
  const save = () => {
    const text = transcriptText(lines, agent.name, new Date().toLocaleString());
    download(`call-with-${agent.name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}.txt`, text);
  };
  return (
    <section className="card-page" aria-labelledby="end-title">
      <div className="card-words">
        <h1 id="end-title">{endingWords(reason, agent.name)}</h1>
        <div className="card-actions">
          <button type="button" className="button button-lit" onClick={onAgain}>
            Call {agent.name} again
          </button>
          {lines.length > 0 && (
            <button type="button" className="button" onClick={save}>
              Download transcript
            </button>
          )}
        </div>
      </div>
      {lines.length > 0 ? (
        <div className="card-transcript" tabIndex={0} role="region" aria-label="Transcript">
          <Said lines={lines} agentName={agent.name} />
        </div>
      ) : (
        <p className="soft">Nothing was said.</p>
      )}
    </section>
  );
}
