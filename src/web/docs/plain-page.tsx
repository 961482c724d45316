import './docs.css';
import { Code } from './code.tsx';
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
  return of.blocks.map((block, at) => {
    switch (block.type) {
      case 'paragraph':
        return (
          <p key={at} className={className}>
            <Spans of={block.spans} />
          </p>
        );
      case 'list':
        return (
          <ul key={at} className="docs-list">
            {block.items.map((spans, item) => (
              <li key={item}>
                <Spans of={spans} />
              </li>
            ))}
          </ul>
        );
      case 'code':
        return <Code key={at} label={`Commands or settings: ${of.title}`} text={block.text} />;
      case 'table':
        return <Table key={at} label={of.title} head={block.head} rows={block.rows} />;
    }
  });
}

function Table({ label, head, rows }: { label: string; head: Span[][]; rows: Span[][][] }) {
  return (
    <div className="docs-table" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} scope="col">
                <Spans of={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = [], ...cells], row) => (
            <tr key={row}>
              <th scope="row">
                <Spans of={name} />
              </th>
              {cells.map((cell, column) => (
                <td key={column}>
                  <Spans of={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Spans = ({ of }: { of: Span[] }) =>
  of.map(({ type, text }, at) => (type === 'code' ? <code key={at}>{text}</code> : text));
