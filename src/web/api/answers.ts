/* Requests of the pages to the API, and their errors. */

/** The service answered with an error status. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  /** Advice for people. */
  readonly advice: string | null;
  /** Other fields of the answer. */
  readonly about: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    detail: string,
    retryAfterSeconds: number | null = null,
    advice: string | null = null,
    about: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.advice = advice;
    this.about = about;
  }
}

/** The service did not respond. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

export async function request(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (cause) {
    throw new Unreachable('the service does not respond', { cause });
  }
}

/** Returns the JSON body, or undefined for a 204. Throws a Refusal for error statuses. */
export async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (response.status === 204) return undefined as Answer;
  if (response.ok) return (await response.json()) as Answer;
  const retryAfter = Number(response.headers.get('retry-after'));
  const body = await bodyOf(response);
  const detail = detailIn(body, response);
  throw new Refusal(response.status, detail, retryAfter || null, body?.advice ?? null, body ?? {});
}

export const detailOf = async (response: Response): Promise<string> =>
  detailIn(await bodyOf(response), response);

type Problem = { msg?: string; loc?: (string | number)[] };
type Refused = { detail?: string | Problem[]; advice?: string; instead?: string } | null;

export const bodyOf = (response: Response): Promise<Refused> => response.json().catch(() => null);

export function detailIn(body: Refused, { status }: Response): string {
  const detail = body?.detail;
  if (typeof detail === 'string') return detail;
  return detail?.[0]?.msg ?? `The service answered ${status}.`;
}

/** Strips the origin: the page may be open under another host name than the picture's URL. */
export function ownPath(address: string | null | undefined): string | null {
  if (!address) return null;
  const url = new URL(address, location.href);
  return `${url.pathname}${url.search}`;
}
