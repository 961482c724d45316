/*
 * How the page proves that it may act: with the code in its link (`#code=...`), then with the
 * refresh token that this browser keeps, or with the admin password. Each gets it a page token for
 * minutes.
 */
import { answerOf, bodyOf, detailIn, detailOf, request } from '../api/answers.ts';

/** No page token: this browser needs the link that the start printed. */
export class LinkWanted extends Error {
  override readonly name = 'LinkWanted';
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

/** Keeps the refresh token for this browser. */
export type Keep = { get(): string | null; set(token: string): void };

type Issued = { token: string; refresh_token?: string };

export class PageAccess {
  readonly #keep: Keep;
  #code: string | null;
  /** Kept in memory only. */
  #password: string | null = null;

  constructor(code: string | null, keep: Keep) {
    this.#code = code;
    this.#keep = keep;
  }

  useCode(code: string): void {
    this.#code = code;
    this.#password = null;
  }

  /** Sends the admin password with every token request. */
  usePassword(password: string): void {
    this.#password = password;
  }

  async token(): Promise<string> {
    const { token, refresh_token } = await this.#ask();
    if (refresh_token) {
      this.#keep.set(refresh_token);
      this.#code = null;
    }
    return token;
  }

  async #ask(): Promise<Issued> {
    if (this.#password !== null) {
      return answer(await post({ headers: { authorization: `Bearer ${this.#password}` } }));
    }
    const proof = { code: this.#code ?? undefined, refresh_token: this.#keep.get() ?? undefined };
    const headers = { 'content-type': 'application/json' };
    return answer(await post({ headers, body: JSON.stringify(proof) }));
  }
}

const post = (init: RequestInit): Promise<Response> =>
  request('/page-token', { method: 'POST', ...init });

async function answer(response: Response): Promise<Issued> {
  if (response.status === 403) {
    const body = await bodyOf(response);
    const detail = detailIn(body, response);
    throw body?.instead === 'admin_password'
      ? new PasswordWanted(detail, false)
      : new LinkWanted(detail);
  }
  if (response.status === 401) throw new PasswordWanted(await detailOf(response), true);
  return answerOf<Issued>(response);
}
