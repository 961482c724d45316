/** The public API as this page uses it: with a page token in place of an API key. */
import { answerOf, bodyOf, detailIn, detailOf, ownPath, request } from '../api/answers.ts';

export type Avatar = { id: string; name: string; picture: string | null };

/** One that is made of a photo; `progress` in percent. */
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

export type SessionStatus = {
  status: { type: 'to_start' | 'ongoing' | 'completed' };
  end_reason?: string | null;
};

/** This page was not given a token: it is not open on the machine that runs the service. */
export class PageRefused extends Error {
  override readonly name = 'PageRefused';
}

/** It would be given one for the admin password. `isWrong`: not for the one that was shown. */
export class PasswordWanted extends Error {
  override readonly name = 'PasswordWanted';
  readonly isWrong: boolean;

  constructor(detail: string, isWrong: boolean) {
    super(detail);
    this.isWrong = isWrong;
  }
}

/** A forgotten tab must not hold an avatar for ever. */
const LONGEST_SESSION_MINUTES = 20;

export class Service {
  #token: Promise<string> | null = null;
  /** As long as this page is open, and nowhere else. */
  #password: string | null = null;

  /** Shows the admin password whenever a token is asked for. */
  usePassword(password: string): void {
    this.#password = password;
  }

  /** Those that can perform. */
  async avatars(): Promise<Avatar[]> {
    const answer = await this.#call<Listed | Listed['data']>('GET', '/v1/avatars?limit=50');
    const rows = Array.isArray(answer) ? answer : answer.data;
    return rows
      .filter(({ status }) => status === 'ready')
      .map(({ id, name, picture }) => ({ id, name, picture: ownPath(picture) }));
  }

  /** `consent`: in whose words the pictured person agrees. */
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
    // The token has run out, or the service was started anew since.
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
    // Its type names what stands between its parts: the browser writes it.
    if (body instanceof FormData) return request(path, { method, headers, body });
    // Kept alive: the last call is made while the page goes away.
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
