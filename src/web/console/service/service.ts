/* Requests to the service. The browser sends the cookie of the sign-in by itself. */
import { answerOf, request } from '../../api/answers.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Pages of other origins cannot send this header, so a request with it comes from the console. */
const CONSOLE_HEADER = { 'x-troupe-console': '1' };

/** A picture as data URL: the content security policy allows no blob URLs for images. */
export async function pictureAt(path: string): Promise<string> {
  const response = await request(path, { headers: CONSOLE_HEADER });
  if (!response.ok) return answerOf(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return `data:${response.headers.get('content-type')};base64,${btoa(text)}`;
}

/** `body`: a form or bytes as they are; everything else as JSON. */
export async function call<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const init = { method, headers: CONSOLE_HEADER };
  if (body === undefined) return answerOf(await request(path, init));
  if (body instanceof FormData || body instanceof Blob) {
    return answerOf(await request(path, { ...init, body }));
  }
  const headers = { ...CONSOLE_HEADER, 'content-type': 'application/json' };
  return answerOf(await request(path, { ...init, headers, body: JSON.stringify(body) }));
}
