/*
 * How a page proves that it may act. A browser that is signed in to the console acts as that
 * person. Otherwise the code in the link (`#code=...`), the refresh token that this browser keeps,
 * or the admin password gets a page token for minutes.
 */
import { answerOf, bodyOf, detailIn, detailOf, request } from '../api/answers.ts';

/** This browser needs the link that the start printed. `isSpent`: it had an old one. */
export class LinkWanted extends Error {
  override readonly name = 'LinkWanted';
  readonly isSpent: boolean;

  constructor(detail: string, isSpent: boolean) {
    super(detail);
    this.isSpent = isSpent;
  }
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

/** The service takes a cookie only with it: another site cannot send it. */
const WITH_COOKIE = { 'x-troupe-console': '1' };

/** `token` undefined: the browser is signed in to the console, and its cookie is enough. */
type Issued = { token?: string; refresh_token?: string };

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

  /** Headers of requests to the API. */
  async headers(): Promise<Record<string, string>> {
    const { token, refresh_token } = await this.#ask();
    if (refresh_token) {
      this.#keep.set(refresh_token);
      this.#code = null;
    }
    return token === undefined ? WITH_COOKIE : { 'x-page-token': token };
  }

  async #ask(): Promise<Issued> {
    if (this.#password !== null) {
      return answer(await post({ headers: { authorization: `Bearer ${this.#password}` } }));
    }
    const proof = { code: this.#code ?? undefined, refresh_token: this.#keep.get() ?? undefined };
    const headers = { 'content-type': 'application/json', ...WITH_COOKIE };
    return answer(await post({ headers, body: JSON.stringify(proof) }), this.#code !== null);
  }
}

const post = (init: RequestInit): Promise<Response> =>
  request('/page-token', { method: 'POST', ...init });

async function answer(response: Response, hasCode = false): Promise<Issued> {
  if (response.status === 403) {
    const body = await bodyOf(response);
    const detail = detailIn(body, response);
    throw body?.instead === 'admin_password'
      ? new PasswordWanted(detail, false)
      : new LinkWanted(detail, hasCode);
  }
  if (response.status === 401) throw new PasswordWanted(await detailOf(response), true);
  return answerOf<Issued>(response);
}
