import './snippet-tabs.css';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { CopyButton } from '../look/copy-button.tsx';
import { linesOf, textOf, type Snippet } from './snippets.ts';

/** Tabs with variants of one snippet. `label` names the tab list. */
export function SnippetTabs({ snippets, label }: { snippets: Snippet[]; label: string }) {
  const [chosen, setChosen] = useState(0);
  const tabs = useRef<(HTMLButtonElement | null)[]>([]);
  const id = useId();
  const snippet = snippets[chosen];
  if (!snippet) return null;

  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const index = (chosen + step + snippets.length) % snippets.length;
    setChosen(index);
    tabs.current[index]?.focus();
  };

  return (
    <div className="guide">
      <div className="guide-bar">
        <div className="guide-tabs" role="tablist" aria-label={label} onKeyDown={onKey}>
          {snippets.map(({ name }, index) => (
            <button
              key={name}
              ref={(tab) => void (tabs.current[index] = tab)}
              type="button"
              role="tab"
              id={`${id}-tab-${index}`}
              aria-selected={index === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={index === chosen ? 0 : -1}
              onClick={() => setChosen(index)}
            >
              {name}
            </button>
          ))}
        </div>
        <CopyButton text={textOf(snippet)} label={`Copy the ${snippet.name} lines`} />
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${chosen}`}>
        {/* Focusable, because it scrolls sideways on small screens. */}
        <pre className="guide-code" tabIndex={0} role="region" aria-label={`${snippet.name} lines`}>
          <code>
            {linesOf(snippet).map(({ text, isNew }, index) => (
              <span key={index} className={isNew ? 'guide-line guide-new' : 'guide-line'}>
                {text || ' '}
                {'\n'}
              </span>
            ))}
          </code>
        </pre>
        <p className="guide-note soft">{snippet.note}</p>
      </div>
    </div>
  );
}
