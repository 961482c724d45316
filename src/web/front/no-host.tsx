import { RecordedFace } from './face.tsx';
import type { FrontWords } from './words/front-words.ts';

/** For an account without agents. */
export function NoHost({ words }: { words: FrontWords }) {
  return (
    <section className="shell front">
      <div className="front-words">
        <h1>{words.headline}</h1>
        <p className="lede">{words.noAgent}</p>
        <p className="front-actions">
          <a className="button button-lit" href="/console/agents">
            {words.createAgent}
          </a>
          <a className="button" href="/try">
            {words.tryAvatar}
          </a>
        </p>
      </div>
      <RecordedFace words={words} />
    </section>
  );
}
