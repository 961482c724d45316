/* Client of the public API, with a page token or the console's cookie instead of an API key. */
import type { Abilities } from '#protocol/abilities.ts';
import { answerOf, ownPath, request } from '../api/answers.ts';
import type { PageAccess } from '../access/page-access.ts';

/** An agent to talk with. */
export type Host = { id: string; name: string; avatar_id: string };

/** `voice`: the id of the built-in voice that fits it. */
export type Avatar = { id: string; name: string; picture: string | null; voice: string | null };

/** An avatar built from a photo. `progress` is in percent. */
export type OwnAvatar = {
  id: string;
  status: 'building' | 'ready' | 'failed';
  progress: number;
  advice?: string;
};

/** `mediaserver`: a LiveKit room. */
export type Transport = 'mediaserver' | 'botroom';

export type OpenedSession = {
  id: string;
  url: string;
  /** With `botroom`, for the bot. */
  token?: string;
  /** With `mediaserver`. */
  room?: { url: string; name: string; agent_token: string; viewer_token: string };
};

type SessionStatus = {
  status: { type: 'to_start' | 'ongoing' | 'completed' };
  end_reason?: string | null;
};

/** Limit, so that a forgotten tab frees its avatar. */
const LONGEST_SESSION_MINUTES = 20;

export class Service {
  readonly #access: Pick<PageAccess, 'headers'>;
  #headers: Promise<Record<string, string>> | null = null;

  constructor(access: Pick<PageAccess, 'headers'>) {
    this.#access = access;
  }

  /** Avatars that are ready. */
  async avatars(): Promise<Avatar[]> {
    const answer = await this.#call<Listed | Listed['data']>('GET', '/v1/avatars?limit=50');
    const rows = Array.isArray(answer) ? answer : answer.data;
    return rows
      .filter(({ status }) => status === 'ready')
      .map(({ id, name, picture, voice = null }) => ({
        id,
        name,
        picture: ownPath(picture),
        voice,
      }));
  }

  /** Agents that need no link token, the most recent first. */
  async hosts(): Promise<Host[]> {
    const { data } = await this.#call<{ data: (Host & { is_private: boolean })[] }>(
      'GET',
      '/v1/agents?limit=50',
    );
    return data.filter((agent) => !agent.is_private);
  }

  abilities({ id }: Host): Promise<Abilities> {
    return this.#call('GET', `/v1/agents/${encodeURIComponent(id)}/abilities`);
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

  openSession(avatarId: string, transport: Transport): Promise<OpenedSession> {
    return this.#call('POST', '/v1/sessions', {
      avatar_id: avatarId,
      transport,
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
    const response = await this.#send(method, path, body);
    if (response.status !== 401) return answerOf(response);
    // The token expired, or the service was restarted.
    this.#headers = null;
    return answerOf(await this.#send(method, path, body));
  }

  async #send(method: string, path: string, body: unknown): Promise<Response> {
    this.#headers ??= this.#access.headers();
    const accessHeaders = await this.#headers.catch((error: unknown) => {
      this.#headers = null;
      throw error;
    });
    const headers: Record<string, string> = { ...accessHeaders };
    // The browser sets the content type, which includes the boundary.
    if (body instanceof FormData) return request(path, { method, headers, body });
    // keepalive: the last request is sent while the page closes.
    if (body === undefined) return request(path, { method, headers, keepalive: true });
    headers['content-type'] = 'application/json';
    return request(path, { method, headers, body: JSON.stringify(body) });
  }
}

type Listed = {
  data: {
    id: string;
    name: string;
    status: string;
    picture?: string | null;
    voice?: string | null;
  }[];
};
