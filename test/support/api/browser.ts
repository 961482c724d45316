import type { InjectOptions } from 'fastify';
import { noteSecretsOf } from '../kept-logs.ts';
import type { BuiltApp } from './build-app.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type RequestOptions = Omit<InjectOptions, 'method' | 'url'>;

export const PASSWORD = 'correct horse battery';

/** A browser at the console: keeps the cookie that it gets, and sends what its pages send. */
export class Browser {
  cookie: string | null = null;
  readonly #service: Pick<BuiltApp, 'app'>;
  readonly #options: RequestOptions;

  /** `more`: of every request, such as another address. */
  constructor(service: Pick<BuiltApp, 'app'>, options: RequestOptions = {}) {
    this.#service = service;
    this.#options = options;
  }

  async call(method: Method, url: string, payload?: object, options: RequestOptions = {}) {
    const reply = await this.#service.app.server.inject({
      method,
      url,
      ...this.#options,
      ...options,
      headers: {
        'x-troupe-console': '1',
        ...(this.cookie && { cookie: this.cookie }),
        ...this.#options.headers,
        ...options.headers,
      },
      ...(payload && { payload }),
    });
    noteSecretsOf(payload, reply);
    for (const set of [reply.headers['set-cookie'] ?? []].flat()) this.#keep(set.split(';')[0]!);
    return reply;
  }

  #keep(pair: string): void {
    const [name] = pair.split('=', 1);
    const otherCookies = (this.cookie ?? '')
      .split('; ')
      .filter((each) => !each.startsWith(`${name}=`));
    const cookies = [...otherCookies, ...(pair.endsWith('=') ? [] : [pair])].filter(Boolean);
    this.cookie = cookies.length > 0 ? cookies.join('; ') : null;
  }

  /** Opens the console as the first owner, who has no password yet. */
  async openHere(): Promise<this> {
    const reply = await this.call('POST', '/console/api/sign-in/this-machine', {});
    if (reply.statusCode !== 200) throw new Error(`not opened: ${reply.body}`);
    return this;
  }

  signIn(name: string, password = PASSWORD) {
    return this.call('POST', '/console/api/sign-in', { name, password });
  }

  /** Accepts the invitation of a link. */
  async join(link: string, name: string, password = PASSWORD): Promise<this> {
    const payload = { code: codeOf(link), name, password };
    const reply = await this.call('POST', '/console/api/links/use', payload);
    if (reply.statusCode !== 200) throw new Error(`not accepted: ${reply.body}`);
    return this;
  }
}

export const codeOf = (link: string): string => link.split('#link=')[1] ?? '';

let joined = 0;

/** A person with the role in the account of `owner`, signed in. */
export async function personOf(
  service: Pick<BuiltApp, 'app'>,
  owner: Browser,
  role: 'owner' | 'builder' | 'viewer',
): Promise<Browser & { name: string }> {
  const invited = await owner.call('POST', '/v1/invitations', { role });
  const name = `${role} ${(joined += 1)}`;
  const browser = await new Browser(service).join(invited.json().link, name);
  return Object.assign(browser, { name });
}
