import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { noticeOf } from '../../../src/web/try/notices.ts';
import { LinkWanted, PageAccess, PasswordWanted } from '../../../src/web/access/page-access.ts';

type TokenRequest = { authorization?: string; body?: Record<string, string> };

let requests: TokenRequest[];
let answer: (request: TokenRequest) => Response;
let refreshToken: string | null;
const keep = { get: () => refreshToken, set: (token: string) => void (refreshToken = token) };

beforeEach(() => {
  requests = [];
  refreshToken = null;
  vi.stubGlobal('fetch', async (_path: string, { headers, body }: RequestInit) => {
    const { authorization } = headers as Record<string, string>;
    const request: TokenRequest = {
      ...(authorization && { authorization }),
      ...(typeof body === 'string' && { body: JSON.parse(body) }),
    };
    requests.push(request);
    return answer(request);
  });
});
afterEach(() => vi.unstubAllGlobals());

const issued = (token: string, refresh_token?: string): Response =>
  Response.json({ token, expires_in_seconds: 600, refresh_token }, { status: 201 });
const refused = (detail: string, fields: object = {}): Response =>
  Response.json({ detail, ...fields }, { status: 403 });
const problemOf = (access: PageAccess) => access.headers().catch((problem: unknown) => problem);
const withToken = (token: string) => ({ 'x-page-token': token });

describe('access of the pages', () => {
  test('is the cookie of a browser that is signed in to the console', async () => {
    answer = () => Response.json({}, { status: 201 });

    expect(await new PageAccess(null, keep).headers()).toEqual({ 'x-troupe-console': '1' });
    expect(refreshToken).toBeNull();
  });

  test('uses the code of its link once, and then the refresh token that this browser keeps', async () => {
    answer = ({ body }) =>
      issued('a token', body?.['refresh_token'] ? 'second refresh' : 'first refresh');
    const access = new PageAccess('the-code', keep);

    const firstOutcome = await access.headers();
    await access.headers();
    await new PageAccess(null, keep).headers();

    expect(firstOutcome).toEqual(withToken('a token'));
    expect(requests.map(({ body }) => body)).toEqual([
      { code: 'the-code' },
      { refresh_token: 'first refresh' },
      { refresh_token: 'second refresh' },
    ]);
  });

  test('offers a new code beside an old refresh token', async () => {
    refreshToken = 'refresh of a former service';
    answer = () => issued('a token', 'new refresh');

    await new PageAccess('the-code', keep).headers();

    expect(requests[0]?.body).toEqual({
      code: 'the-code',
      refresh_token: 'refresh of a former service',
    });
    expect(refreshToken).toBe('new refresh');
  });

  test('explains a used link, and accepts another one', async () => {
    answer = () => refused('This link was used already.');
    const access = new PageAccess('used', keep);

    const problem = await problemOf(access);
    answer = () => issued('a token', 'refresh');
    access.useCode('new');

    expect(problem).toEqual(new LinkWanted('This link was used already.', true));
    expect(noticeOf(problem)).toMatchObject({
      title: 'Open this page with the link from npm start',
      advice: expect.stringContaining('This link was used already.'),
      canRetry: false,
    });
    expect(await access.headers()).toEqual(withToken('a token'));
    expect(requests.map(({ body }) => body?.['code'])).toEqual(['used', 'new']);
  });

  test('asks for the admin password where that helps, and sends it with each request', async () => {
    answer = ({ authorization }) => {
      if (authorization === 'Bearer the right one') return issued('a token');
      if (authorization) return Response.json({ detail: 'Wrong.' }, { status: 401 });
      return refused('No link.', { instead: 'admin_password' });
    };
    const access = new PageAccess(null, keep);

    const firstOutcome = await problemOf(access);
    access.usePassword('a wrong one');
    const secondOutcome = await problemOf(access);
    access.usePassword('the right one');

    expect([firstOutcome, secondOutcome]).toEqual([
      new PasswordWanted('No link.', false),
      new PasswordWanted('Wrong.', true),
    ]);
    expect([firstOutcome, secondOutcome].map(noticeOf)).toMatchObject([
      { title: 'Enter the admin password', wantsPassword: true },
      { title: 'Wrong password', wantsPassword: true },
    ]);
    expect([await access.headers(), await access.headers()]).toEqual([
      withToken('a token'),
      withToken('a token'),
    ]);
    expect(refreshToken).toBeNull();
  });
});
