import type { InjectOptions } from 'fastify';
import { noteSecretsOf } from '../kept-logs.ts';
import type { BuiltApp } from './build-app.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type More = Omit<InjectOptions, 'method' | 'url'>;

export const PASSWORD = 'correct horse battery';

/** A browser at the console: keeps the cookie that it gets, and sends what its pages send. */
export class Browser {
  cookie: string | null = null;
  readonly #service: Pick<BuiltApp, 'app'>;
  readonly #more: More;

  /** `more`: of every request, such as another address. */
  constructor(service: Pick<BuiltApp, 'app'>, more: More = {}) {
    this.#service = service;
    this.#more = more;
  }

  async call(method: Method, url: string, payload?: object, more: More = {}) {
    const reply = await this.#service.app.server.inject({
      method,
      url,
      ...this.#more,
      ...more,
      headers: {
        'x-troupe-console': '1',
        ...(this.cookie && { cookie: this.cookie }),
        ...this.#more.headers,
        ...more.headers,
      },
      ...(payload && { payload }),
    });
    noteSecretsOf(payload, reply);
    for (const set of [reply.headers['set-cookie'] ?? []].flat()) this.#keep(set.split(';')[0]!);
    return reply;
  }

  #keep(pair: string): void {
    const [name] = pair.split('=', 1);
    const others = (this.cookie ?? '').split('; ').filter((each) => !each.startsWith(`${name}=`));
    const all = [...others, ...(pair.endsWith('=') ? [] : [pair])].filter(Boolean);
    this.cookie = all.length > 0 ? all.join('; ') : null;
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
