import '@fontsource-variable/bricolage-grotesque/opsz.css';
import './base.css';
import './header.css';
import type { ReactNode } from 'react';
import mark from '../favicon.svg';

/** Header and footer of the front page, the developer view and the docs. */
export function Frame({ page, children }: { page: 'front' | 'try' | 'docs'; children: ReactNode }) {
  return (
    <>
      <a className="button skip" href="#main">
        Skip to content
      </a>
      <header className="header shell">
        <a className="brand" href="/">
          <img src={mark} alt="" />
          Troupe
        </a>
        <nav aria-label="Pages">
          <a href="/" aria-current={page === 'front' ? 'page' : undefined}>
            Talk
          </a>
          <a href="/try" aria-current={page === 'try' ? 'page' : undefined}>
            Try
          </a>
          <a href="/docs" aria-current={page === 'docs' ? 'page' : undefined}>
            Docs
          </a>
          <a href="/console">Console</a>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer className="footer shell">
        Troupe runs on your own machines. This page contacts no other host.
      </footer>
    </>
  );
}
