/* What pages make of the service's answers. */

/** The service answered, and not with what was asked for. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, detail: string, retryAfterSeconds: number | null = null) {
    super(detail);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The service did not answer at all. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

export async function request(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (cause) {
    throw new Unreachable('the service does not answer', { cause });
  }
}

/** Its JSON; of a 204 nothing. */
export async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (response.status === 204) return undefined as Answer;
  if (response.ok) return (await response.json()) as Answer;
  const retryAfter = Number(response.headers.get('retry-after'));
  throw new Refusal(response.status, await detailOf(response), retryAfter || null);
}

export const detailOf = async (response: Response): Promise<string> =>
  detailIn(await bodyOf(response), response);

type Refused = { detail?: string | { msg?: string }[]; instead?: string } | null;

export const bodyOf = (response: Response): Promise<Refused> => response.json().catch(() => null);

export function detailIn(body: Refused, { status }: Response): string {
  const detail = body?.detail;
  if (typeof detail === 'string') return detail;
  return detail?.[0]?.msg ?? `The service answered ${status}.`;
}

/** The page may be open under another of the machine's names than the one in the address; pictures are always ours. */
export function ownPath(address: string | null | undefined): string | null {
  if (!address) return null;
  const url = new URL(address, location.href);
  return `${url.pathname}${url.search}`;
}
