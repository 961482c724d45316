import { Link, useRoute } from 'wouter';
import { Icon } from '../parts/icon.tsx';
import { useMe } from '../service/me.ts';
import { texts } from '../texts/texts.ts';
import { allows, MENU, PAGES, type PageName } from './pages.ts';

const t = texts.shell;

export function Menu() {
  const me = useMe();
  const groups = MENU.map(({ group, pages }) => ({
    group,
    pages: pages.filter((name) => allows(me, PAGES[name])),
  }));
  return (
    <nav className="menu" aria-label={t.navigation}>
      {groups
        .filter(({ pages }) => pages.length > 0)
        .map(({ group, pages }) => (
          <div key={group} className="menu-group">
            {group && <p className="menu-title">{t.groups[group]}</p>}
            <ul>
              {pages.map((name) => (
                <li key={name}>
                  <Entry name={name} />
                </li>
              ))}
            </ul>
          </div>
        ))}
    </nav>
  );
}

function Entry({ name }: { name: PageName }) {
  const { href, icon } = PAGES[name];
  const [isHere] = useRoute(href);
  const [isBelow] = useRoute(`${href}/:id`);
  const isCurrent = isHere || (href !== '/' && isBelow);
  return (
    <Link href={href} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} />
      {t.pages[name]}
    </Link>
  );
}
