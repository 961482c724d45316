/* A browser's way through the sign-in at the OpenID provider of `openid-provider.ts`. */
import type { Browser } from '../api/browser.ts';

/** The service's address at the provider. */
export const TROUPE_HOME = 'http://troupe.local';

/** Signs in at the provider and consents. Returns the address to come back to. */
export async function visitProvider(start: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url: string = start;
  let form: Record<string, string> | null = null;
  for (let step = 0; step < 12; step += 1) {
    const reply: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const set of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]!.split(/=(.*)/s);
      cookies.set(name, value);
    }
    const to = reply.headers.get('location');
    if (to === null) {
      const page: string = await reply.text();
      form = page.includes('name="login"')
        ? { prompt: 'login', login, password: 'any' }
        : { prompt: 'consent' };
      continue;
    }
    form = null;
    url = new URL(to, url).href;
    if (url.startsWith(`${TROUPE_HOME}/`)) return url;
  }
  throw new Error('the provider does not come to an end');
}

/** Where the browser is sent. `link`: the code of a link that is used at the provider. */
export async function startOpenid(browser: Browser, link?: string): Promise<string> {
  const reply = await browser.call('POST', '/console/api/openid/start', { link });
  if (reply.statusCode !== 200) throw new Error(`not started: ${reply.body}`);
  return reply.json().url;
}

/** The browser comes back, as by a link of another site. */
export function comeBack(browser: Browser, address: string) {
  const { pathname, search } = new URL(address);
  const headers = { 'sec-fetch-site': 'cross-site' };
  return browser.call('GET', `${pathname}${search}`, undefined, { headers });
}

export const signInAtProvider = async (browser: Browser, login: string, link?: string) =>
  comeBack(browser, await visitProvider(await startOpenid(browser, link), login));
