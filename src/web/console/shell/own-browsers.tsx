import { Badge } from '../parts/badge.tsx';
import { useSay } from '../parts/notices.tsx';
import { Problem, Reading } from '../parts/states.tsx';
import { Ago } from '../parts/time.tsx';
import { useRead, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { texts } from '../texts/texts.ts';
import { browserName } from './browser-name.ts';

const t = texts.browsers;

const PATH = '/console/api/browsers';

type SignedInBrowser = {
  id: string;
  is_current: boolean;
  address: string;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
};

/** The browsers in which the person is signed in. */
export function OwnBrowsers() {
  const browsers = useRead<{ data: SignedInBrowser[] }>(PATH);
  const say = useSay();
  const signOut = useWrite(
    async (id: string | null) => {
      await call('DELETE', id === null ? PATH : `${PATH}/${encodeURIComponent(id)}`);
      say(id === null ? t.othersSignedOut : t.signedOut);
    },
    [PATH],
  );
  return (
    <section className="stack">
      <h3>{t.title}</h3>
      <Reading query={browsers}>
        {({ data }) => (
          <>
            <ul className="rows own-browsers">
              {data.map((each) => (
                <li key={each.id}>
                  <Where browser={each} />
                  {each.is_current ? (
                    <Badge tone="good">{t.thisOne}</Badge>
                  ) : (
                    <button
                      type="button"
                      className="button button-small"
                      aria-label={t.signOutOf(nameOf(each))}
                      disabled={signOut.isPending}
                      onClick={() => signOut.mutate(each.id)}
                    >
                      {t.signOut}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {data.length > 1 ? (
              <div className="actions">
                <button
                  type="button"
                  className="button button-small"
                  disabled={signOut.isPending}
                  onClick={() => signOut.mutate(null)}
                >
                  {t.signOutOthers}
                </button>
              </div>
            ) : (
              <p className="soft">{t.noOthers}</p>
            )}
          </>
        )}
      </Reading>
      {signOut.error && <Problem error={signOut.error} />}
    </section>
  );
}

function Where({ browser }: { browser: SignedInBrowser }) {
  return (
    <div>
      <strong>{nameOf(browser)}</strong>
      <p className="soft">
        {browser.address}, {t.since} <Ago at={browser.created_at} />, {t.seen}{' '}
        <Ago at={browser.last_seen_at} />
      </p>
    </div>
  );
}

function nameOf({ user_agent }: SignedInBrowser): string {
  const { browser, system } = browserName(user_agent);
  if (browser !== null && system !== null) return t.name(browser, system);
  return browser ?? system ?? t.unknown;
}
