import './docs.css';
import { readDocument, type PlainSection, type Span } from './plain-document.ts';

/** A page made from a plain Markdown document. */
export function PlainPage({ text }: { text: string }) {
  const { head, sections } = readDocument(text);
  return (
    <article className="shell docs">
      <header>
        <h1>{head.title}</h1>
        <Blocks of={head} className="lede" />
      </header>
      {sections.map((section) => (
        <section key={section.title} aria-labelledby={idOf(section)}>
          <h2 id={idOf(section)}>{section.title}</h2>
          <Blocks of={section} />
        </section>
      ))}
    </article>
  );
}

const idOf = ({ title }: PlainSection): string => title.toLowerCase().replaceAll(' ', '-');

function Blocks({ of, className }: { of: PlainSection; className?: string }) {
  return of.blocks.map((block, at) =>
    block.type === 'paragraph' ? (
      <p key={at} className={className}>
        <Spans of={block.spans} />
      </p>
    ) : (
      <ul key={at} className="docs-list">
        {block.items.map((spans, item) => (
          <li key={item}>
            <Spans of={spans} />
          </li>
        ))}
      </ul>
    ),
  );
}

const Spans = ({ of }: { of: Span[] }) =>
  of.map(({ type, text }, at) => (type === 'code' ? <code key={at}>{text}</code> : text));
