/* Client of the public chat API. It needs no API key. */
import type { Rating } from '#protocol/call-ratings.ts';
import { answerOf, ownPath, request, Unreachable } from '../../api/answers.ts';

export type Agent = {
  name: string;
  language: string;
  picture: string | null;
  /** Whether the agent is expected to understand speech. */
  hears: boolean;
  /** Whether it is expected to hear in some minutes. */
  hearsSoon: boolean;
  /** Whether the agent looks at the camera. */
  sees: boolean;
  /** Whether the page labels the agent as an AI avatar. */
  hasAiLabel: boolean;
  /** Chosen by its owner. Null: the default. */
  accentColor: string | null;
  logo: string | null;
  welcomeText: string | null;
};

/**
 * A call, as stored in the browser to return to it. `token` joins its room for the first minutes,
 * and authenticates later requests.
 */
export type CallCredentials = { id: string; url: string; token: string };

export type CallRating = { rating: Rating; comment: string };

export type TranscriptLine = { sender: 'ai' | 'user'; text: string; saidAt: string };

type CallStatus = {
  isOver: boolean;
  /** Another token to join with; null after the call. */
  roomToken: string | null;
  endReason: string | null;
  lines: TranscriptLine[];
};

/** The agent's owner does not allow pages of this origin. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

export class ChatService {
  readonly #service: string;
  readonly #path: string;
  readonly #link: { token?: string };

  /** `linkToken`: for a private agent. `service`: its origin, if it is not the page's own. */
  constructor(agentId: string, linkToken: string | null = null, service = '') {
    this.#service = service;
    this.#path = `${service}/v1/chat/${encodeURIComponent(agentId)}`;
    this.#link = linkToken === null ? {} : { token: linkToken };
  }

  async agent(): Promise<Agent> {
    const answered = await this.#explained(ask<AgentAnswer>('GET', this.#path, this.#link));
    const { name, language, avatar, hears, hears_soon, sees, ai_label, appearance } = answered;
    return {
      name,
      language,
      picture: this.#address(avatar.picture),
      hears,
      hearsSoon: hears_soon ?? false,
      sees,
      hasAiLabel: ai_label,
      accentColor: appearance?.accent_color ?? null,
      logo: this.#address(appearance?.logo),
      welcomeText: appearance?.welcome_text ?? null,
    };
  }

  /** By the origin that this page uses. */
  #address(picture: string | null | undefined): string | null {
    const path = ownPath(picture);
    return path && `${this.#service}${path}`;
  }

  /** Browsers hide from scripts that a page is not allowed, so ask for a file that is for all. */
  async #explained<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof Unreachable) || this.#service === '') throw error;
      const script = await request(`${this.#service}/embed.js`, {}).catch(() => null);
      throw script?.ok ? new NotAllowed('the agent is not for this page', { cause: error }) : error;
    }
  }

  /** `ticket`: keeps a place in line; null asks for one. `screen`: shape of the wanted frame. */
  async open(
    userName: string,
    ticket: string | null,
    screen: 'landscape' | 'portrait' | null = null,
  ): Promise<CallCredentials> {
    const body = {
      line_ticket: ticket,
      ...(userName !== '' && { user_name: userName }),
      ...(screen && { screen }),
    };
    const opened = await ask<OpenedAnswer>('POST', `${this.#path}/calls`, {
      ...this.#link,
      body,
    });
    return { id: opened.id, url: opened.room_url, token: opened.room_token };
  }

  async call({ id, token }: CallCredentials): Promise<CallStatus> {
    const answer = await ask<CallAnswer>('GET', `${this.#path}/calls/${id}`, { token });
    return {
      isOver: answer.status.type === 'completed',
      roomToken: answer.room_token,
      endReason: answer.end_reason,
      lines: answer.messages.map(({ message, sender, sent_at }) => ({
        sender,
        text: message,
        saidAt: sent_at,
      })),
    };
  }

  /** Ends the call. */
  async leave({ id, token }: CallCredentials): Promise<void> {
    await ask('DELETE', `${this.#path}/calls/${id}`, { token });
  }

  async leaveLine(ticket: string): Promise<void> {
    const query = new URLSearchParams({ ticket });
    await ask('DELETE', `${this.#path}/line?${query}`, this.#link);
  }

  /** Replaces an earlier rating of the call. */
  async rate({ id, token }: CallCredentials, rating: CallRating): Promise<void> {
    await ask('PUT', `${this.#path}/calls/${id}/rating`, { token, body: rating });
  }
}

type AgentAnswer = {
  name: string;
  language: string;
  avatar: { picture: string };
  hears: boolean;
  sees: boolean;
  ai_label: boolean;
  // Older services have none of these.
  hears_soon?: boolean;
  appearance?: { accent_color: string | null; logo: string | null; welcome_text: string | null };
};
type OpenedAnswer = { id: string; room_url: string; room_token: string };
type CallAnswer = {
  status: { type: string };
  end_reason: string | null;
  room_token: string | null;
  messages: { message: string; sender: 'ai' | 'user'; sent_at: string }[];
};

async function ask<Answer>(
  method: string,
  path: string,
  { body, token }: { body?: object; token?: string } = {},
): Promise<Answer> {
  const headers: Record<string, string> = {};
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (body) headers['content-type'] = 'application/json';
  const content = body ? JSON.stringify(body) : null;
  return answerOf(await request(path, { method, headers, body: content }));
}
