import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { noticeOf } from '../../../src/web/try/notices.ts';
import { LinkWanted, PageAccess, PasswordWanted } from '../../../src/web/try/page-access.ts';

type Asked = { authorization?: string; body?: Record<string, string> };

let asked: Asked[];
let answer: (asked: Asked) => Response;
let kept: string | null;
const keep = { get: () => kept, set: (token: string) => void (kept = token) };

beforeEach(() => {
  asked = [];
  kept = null;
  vi.stubGlobal('fetch', async (_path: string, { headers, body }: RequestInit) => {
    const { authorization } = headers as Record<string, string>;
    const one: Asked = {
      ...(authorization && { authorization }),
      ...(typeof body === 'string' && { body: JSON.parse(body) }),
    };
    asked.push(one);
    return answer(one);
  });
});
afterEach(() => vi.unstubAllGlobals());

const issued = (token: string, refresh_token?: string): Response =>
  Response.json({ token, expires_in_seconds: 600, refresh_token }, { status: 201 });
const refused = (detail: string, more: object = {}): Response =>
  Response.json({ detail, ...more }, { status: 403 });
const problemOf = (access: PageAccess) => access.token().catch((problem: unknown) => problem);

describe('access of the try page', () => {
  test('uses the code of its link once, and then the refresh token that this browser keeps', async () => {
    answer = ({ body }) =>
      issued('a token', body?.['refresh_token'] ? 'second refresh' : 'first refresh');
    const access = new PageAccess('the-code', keep);

    const first = await access.token();
    await access.token();
    await new PageAccess(null, keep).token();

    expect(first).toBe('a token');
    expect(asked.map(({ body }) => body)).toEqual([
      { code: 'the-code' },
      { refresh_token: 'first refresh' },
      { refresh_token: 'second refresh' },
    ]);
  });

  test('offers a new code beside an old refresh token', async () => {
    kept = 'refresh of a former service';
    answer = () => issued('a token', 'new refresh');

    await new PageAccess('the-code', keep).token();

    expect(asked[0]?.body).toEqual({
      code: 'the-code',
      refresh_token: 'refresh of a former service',
    });
    expect(kept).toBe('new refresh');
  });

  test('explains a used link, and accepts another one', async () => {
    answer = () => refused('This link was used already.');
    const access = new PageAccess('used', keep);

    const problem = await problemOf(access);
    answer = () => issued('a token', 'refresh');
    access.useCode('new');

    expect(problem).toEqual(new LinkWanted('This link was used already.'));
    expect(noticeOf(problem)).toMatchObject({
      title: 'Open this page with the link from npm start',
      advice: expect.stringContaining('This link was used already.'),
      canRetry: false,
    });
    expect(await access.token()).toBe('a token');
    expect(asked.map(({ body }) => body?.['code'])).toEqual(['used', 'new']);
  });

  test('asks for the admin password where that helps, and sends it with each request', async () => {
    answer = ({ authorization }) => {
      if (authorization === 'Bearer the right one') return issued('a token');
      if (authorization) return Response.json({ detail: 'Wrong.' }, { status: 401 });
      return refused('No link.', { instead: 'admin_password' });
    };
    const access = new PageAccess(null, keep);

    const first = await problemOf(access);
    access.usePassword('a wrong one');
    const second = await problemOf(access);
    access.usePassword('the right one');

    expect([first, second]).toEqual([
      new PasswordWanted('No link.', false),
      new PasswordWanted('Wrong.', true),
    ]);
    expect([first, second].map(noticeOf)).toMatchObject([
      { title: 'Enter the admin password', wantsPassword: true },
      { title: 'Wrong password', wantsPassword: true },
    ]);
    expect([await access.token(), await access.token()]).toEqual(['a token', 'a token']);
    expect(kept).toBeNull();
  });
});
