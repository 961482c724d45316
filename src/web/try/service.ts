/* Client of the public API, with a page token instead of an API key. */
import { answerOf, bodyOf, detailIn, detailOf, ownPath, request } from '../api/answers.ts';

export type Avatar = { id: string; name: string; picture: string | null };

/** An avatar built from a photo. `progress` is in percent. */
export type OwnAvatar = {
  id: string;
  status: 'building' | 'ready' | 'failed';
  progress: number;
  advice?: string;
};

export type OpenedSession = {
  id: string;
  room: { url: string; name: string; agent_token: string; viewer_token: string };
};

type SessionStatus = {
  status: { type: 'to_start' | 'ongoing' | 'completed' };
  end_reason?: string | null;
};

/** No page token: the browser is not on the machine that runs the service. */
export class PageRefused extends Error {
  override readonly name = 'PageRefused';
}

/** A page token requires the admin password. `isWrong`: the given password was rejected. */
export class PasswordWanted extends Error {
  override readonly name = 'PasswordWanted';
  readonly isWrong: boolean;

  constructor(detail: string, isWrong: boolean) {
    super(detail);
    this.isWrong = isWrong;
  }
}

/** Limit, so that a forgotten tab frees its avatar. */
const LONGEST_SESSION_MINUTES = 20;

export class Service {
  #token: Promise<string> | null = null;
  /** Kept in memory only. */
  #password: string | null = null;

  /** Sends the admin password with every token request. */
  usePassword(password: string): void {
    this.#password = password;
  }

  /** Avatars that are ready. */
  async avatars(): Promise<Avatar[]> {
    const answer = await this.#call<Listed | Listed['data']>('GET', '/v1/avatars?limit=50');
    const rows = Array.isArray(answer) ? answer : answer.data;
    return rows
      .filter(({ status }) => status === 'ready')
      .map(({ id, name, picture }) => ({ id, name, picture: ownPath(picture) }));
  }

  /** `consent`: a statement that the pictured person agrees. */
  createAvatar(name: string, picture: File, consent: string): Promise<OwnAvatar> {
    const form = new FormData();
    form.append('name', name);
    form.append('consent', consent);
    form.append('picture', picture);
    return this.#call('POST', '/v1/avatars', form);
  }

  avatar(id: string): Promise<OwnAvatar> {
    return this.#call('GET', `/v1/avatars/${encodeURIComponent(id)}`);
  }

  openSession(avatarId: string): Promise<OpenedSession> {
    return this.#call('POST', '/v1/sessions', {
      avatar_id: avatarId,
      max_session_length_minutes: LONGEST_SESSION_MINUTES,
      metadata: { opened_by: 'try page' },
    });
  }

  session(id: string): Promise<SessionStatus> {
    return this.#call('GET', `/v1/sessions/${encodeURIComponent(id)}`);
  }

  async endSession(id: string): Promise<void> {
    await this.#call('POST', `/v1/sessions/${encodeURIComponent(id)}/end`);
  }

  async #call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const first = await this.#send(method, path, body);
    if (first.status !== 401) return answerOf(first);
    // The token expired, or the service was restarted.
    this.#token = null;
    return answerOf(await this.#send(method, path, body));
  }

  async #send(method: string, path: string, body: unknown): Promise<Response> {
    this.#token ??= askForToken(this.#password);
    const token = await this.#token.catch((error: unknown) => {
      this.#token = null;
      throw error;
    });
    const headers: Record<string, string> = { 'x-page-token': token };
    // The browser sets the content type, which includes the boundary.
    if (body instanceof FormData) return request(path, { method, headers, body });
    // keepalive: the last request is sent while the page closes.
    if (body === undefined) return request(path, { method, headers, keepalive: true });
    headers['content-type'] = 'application/json';
    return request(path, { method, headers, body: JSON.stringify(body) });
  }
}

type Listed = { data: { id: string; name: string; status: string; picture?: string | null }[] };

async function askForToken(password: string | null): Promise<string> {
  const headers: HeadersInit = password === null ? {} : { authorization: `Bearer ${password}` };
  const response = await request('/page-token', { method: 'POST', headers });
  if (response.status === 403) {
    const body = await bodyOf(response);
    const detail = detailIn(body, response);
    throw body?.instead === 'admin_password'
      ? new PasswordWanted(detail, false)
      : new PageRefused(detail);
  }
  if (response.status === 401) throw new PasswordWanted(await detailOf(response), true);
  const { token } = await answerOf<{ token: string }>(response);
  return token;
}
