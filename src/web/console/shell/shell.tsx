import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import mark from '../../favicon.svg';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { useLiveSessions } from '../service/live.ts';
import { useMay } from '../service/me.ts';
import { texts } from '../texts/texts.ts';
import { Menu } from './menu.tsx';
import { Person } from './person.tsx';

const t = texts.shell;

/** Menu and content. On a phone the menu is a dialog. */
export function Shell({ children }: { children: ReactNode }) {
  const live = useLiveSessions(useMay('sessions:read'));
  const [isMenuOpen, setMenuOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const [path] = useLocation();
  const previousPath = useRef(path);

  // A new page begins at its top, for the eye and for screen readers.
  useEffect(() => {
    if (previousPath.current === path) return;
    previousPath.current = path;
    setMenuOpen(false);
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <div className="console">
      <a className="button skip" href="#main">
        {t.skip}
      </a>
      <header className="topbar">
        <Brand />
        <button
          type="button"
          className="icon-button"
          aria-label={t.menu}
          aria-haspopup="dialog"
          onClick={() => setMenuOpen(true)}
        >
          <Icon name="menu" />
        </button>
      </header>
      <header className="sidebar">
        <Brand />
        <Menu />
        <Person live={live} />
      </header>
      {isMenuOpen && (
        <Dialog title={t.menu} isSheet close={() => setMenuOpen(false)}>
          <Menu />
          <Person live={live} />
        </Dialog>
      )}
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function Brand() {
  return (
    <Link className="brand" href="/">
      <img src={mark} alt="" />
      {t.brand}
    </Link>
  );
}
