import { useEffect, type ReactNode } from 'react';
import { Link } from 'wouter';
import { texts } from '../texts/texts.ts';

type PageProps = {
  title: string;
  lede?: string;
  /** The page above this one. */
  up?: { href: string; label: string };
  badge?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** Head and content of one page of the console. */
export function Page({ title, lede, up, badge, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${texts.shell.product}`;
  }, [title]);
  return (
    <article className="page">
      <header className="page-head">
        <div className="page-title">
          {up && (
            <Link className="page-up" href={up.href}>
              {up.label}
            </Link>
          )}
          <div className="page-name">
            <h1>{title}</h1>
            {badge}
          </div>
          {lede && <p className="soft">{lede}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </article>
  );
}

type CardProps = { title?: string; note?: ReactNode; actions?: ReactNode; children: ReactNode };

export function Card({ title, note, actions, children }: CardProps) {
  return (
    <section className="card">
      {(title || actions) && (
        <header className="card-head">
          {title && <h2>{title}</h2>}
          {note && <p className="soft">{note}</p>}
          {actions && <div className="actions">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
