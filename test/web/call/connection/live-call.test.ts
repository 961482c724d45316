import { ConnectionError } from 'livekit-client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Refusal, Unreachable } from '../../../../src/web/api/answers.ts';
import { ChatService } from '../../../../src/web/call/connection/chat-service.ts';
import { deviceProblemOf } from '../../../../src/web/call/devices/device-problems.ts';
import { endText } from '../../../../src/web/call/texts/end-text.ts';
import { refusalOf } from '../../../../src/web/call/texts/refusals.ts';
import { SavedCall } from '../../../../src/web/call/connection/saved-call.ts';
import { transcriptText } from '../../../../src/web/call/chat/transcript-file.ts';
import { words } from '../../../../src/web/call/words/en.ts';
import { END_REASONS } from '../../../../src/protocol/end-reasons.ts';

afterEach(() => vi.unstubAllGlobals());

type SentRequest = { path: string; method: string; headers: Record<string, string>; body?: string };

/** Stubs the service's response, and records the requests. */
function respondWith(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): SentRequest[] {
  const requests: SentRequest[] = [];
  vi.stubGlobal('location', new URL('https://chat.example/agent'));
  vi.stubGlobal('fetch', async (path: string, init: Omit<SentRequest, 'path'>) => {
    requests.push({ path, ...init });
    return status === 204
      ? new Response(null, { status })
      : Response.json(body, { status, headers });
  });
  return requests;
}

const pass = { id: 'call', url: 'wss://media.example', token: 'secret' };

describe('chat API client', () => {
  test('loads the agent, with its picture from the page’s own origin', async () => {
    respondWith(200, {
      name: 'Mira',
      language: 'en',
      avatar: { id: 'n', picture: 'https://api.example/avatars/n/picture' },
      hears: false,
      ai_label: true,
      appearance: {
        accent_color: '#000080',
        logo: 'https://api.example/agents/n/logo?v=1',
        welcome_text: 'Hello!',
      },
    });

    expect(await new ChatService('a/b').agent()).toEqual({
      name: 'Mira',
      language: 'en',
      picture: '/avatars/n/picture',
      hears: false,
      hearsSoon: false,
      hasAiLabel: true,
      accentColor: '#000080',
      logo: '/agents/n/logo?v=1',
      welcomeText: 'Hello!',
    });
  });

  test('loads the agent of an older service, which has no look of its own', async () => {
    respondWith(200, { name: 'Mira', language: 'en', avatar: { picture: '/p' } });

    expect(await new ChatService('agent').agent()).toMatchObject({
      accentColor: null,
      logo: null,
      welcomeText: null,
    });
  });

  test('opens a call, and sends a name and the screen’s shape only if given', async () => {
    const requests = respondWith(201, { id: 'call', room_url: pass.url, room_token: pass.token });

    const opened = await new ChatService('agent').open('', null);
    await new ChatService('agent').open('Zoë', 'ticket', 'portrait');

    expect(opened).toEqual(pass);
    expect(requests.map(({ body }) => body)).toEqual([
      '{"line_ticket":null}',
      '{"line_ticket":"ticket","user_name":"Zoë","screen":"portrait"}',
    ]);
    expect(requests[0]).toMatchObject({ path: '/v1/chat/agent/calls', method: 'POST' });
  });

  test('sends the token of a call', async () => {
    const requests = respondWith(200, {
      status: { type: 'completed' },
      end_reason: 'time_limit',
      messages: [{ message: 'Hello.', sender: 'ai', sent_at: 'then' }],
    });

    const status = await new ChatService('agent').call(pass);

    expect(status).toEqual({
      isOver: true,
      endReason: 'time_limit',
      lines: [{ sender: 'ai', text: 'Hello.', saidAt: 'then' }],
    });
    expect(requests[0]).toMatchObject({
      path: '/v1/chat/agent/calls/call',
      headers: { authorization: 'Bearer secret' },
    });
  });

  test('ends a call', async () => {
    const requests = respondWith(204, null);

    await new ChatService('agent').leave(pass);

    expect(requests[0]).toMatchObject({ method: 'DELETE', path: '/v1/chat/agent/calls/call' });
  });

  test('leaves the line', async () => {
    const requests = respondWith(204, null);

    await new ChatService('agent', 'link').leaveLine('a/b');

    expect(requests[0]).toMatchObject({
      method: 'DELETE',
      path: '/v1/chat/agent/line?ticket=a%2Fb',
      headers: { authorization: 'Bearer link' },
    });
  });

  test('rates a call', async () => {
    const requests = respondWith(204, null);

    await new ChatService('agent').rate(pass, { rating: 'good', comment: '' });

    expect(requests[0]).toMatchObject({
      method: 'PUT',
      path: '/v1/chat/agent/calls/call/rating',
      headers: { authorization: 'Bearer secret' },
      body: '{"rating":"good","comment":""}',
    });
  });

  test('sends a link token to see and to call a private agent', async () => {
    const requests = respondWith(201, {
      name: 'Mira',
      language: 'en',
      hears: false,
      ai_label: true,
      avatar: { id: 'n', picture: 'https://api.example/avatars/n/picture' },
    });

    await new ChatService('agent', 'link').agent();
    await new ChatService('agent', 'link').open('', null);
    await new ChatService('agent').open('', null);

    expect(requests.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer link',
      'Bearer link',
      undefined,
    ]);
  });

  test('reports when to retry', async () => {
    respondWith(503, { detail: 'Busy.' }, { 'retry-after': '4' });

    await expect(new ChatService('agent').open('', null)).rejects.toMatchObject({
      status: 503,
      retryAfterSeconds: 4,
      message: 'Busy.',
    });
  });
});

describe('messages to a person', () => {
  test.each([
    [new Unreachable('away'), 'unreachable'],
    [ConnectionError.internal('no socket'), 'no_media'],
    [new Refusal(404, ''), 'not_found'],
    [new Refusal(402, ''), 'full'],
    [new Refusal(429, ''), 'full'],
    [new Refusal(429, '', 600), 'too_often'],
    [new Refusal(429, '', 600, null, { code: 'budget_reached' }), 'used_up'],
    [new Refusal(500, ''), 'failed'],
    [new Error('odd'), 'failed'],
    [new Refusal(401, 'The link token has expired.'), 'private'],
  ])('explain a refused call: %s is %s', (error, why) => {
    expect(refusalOf(error).why).toBe(why);
    expect(words.refusals[refusalOf(error).why]('Mira').join(' ')).toMatch(/\w+.*\./);
  });

  test('explain every end reason', () => {
    expect(endText(words, 'time_limit', 'Mira')).toBe('The call reached the time limit for Mira.');
    expect(END_REASONS.map((reason) => endText(words, reason, 'Mira'))).not.toContain('');
    expect(endText(words, 'anything', 'Mira')).toBe('The call has ended.');
  });

  test('explain device problems', () => {
    vi.stubGlobal('navigator', { mediaDevices: {} });
    const denied = Object.assign(new Error('no'), { name: 'NotAllowedError' });

    expect(deviceProblemOf(denied)).toBe('denied');
    expect(words.deviceProblems.microphone.denied).toContain('Allow it');
    vi.stubGlobal('navigator', {});
    expect(deviceProblemOf(denied)).toBe('not_secure');
  });
});

describe('transcript file', () => {
  test('names the speaker of each line', () => {
    const lines = [
      { id: '1', sender: 'ai' as const, text: 'Hello.', isFinal: true },
      { id: '2', sender: 'user' as const, text: 'Hi!', isFinal: true },
    ];

    expect(transcriptText(words, lines, 'Mira', 'today')).toBe(
      'Call with Mira (an AI avatar), ended today\n\nMira: Hello.\n\nYou: Hi!\n\n',
    );
  });
});

function storageOf() {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
}

describe('saved place in line', () => {
  const place = { userName: 'Zoë', microphone: true, ticket: 'place' };
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test('is kept beside the call until it is forgotten', () => {
    const saved = new SavedCall('one', storageOf());
    saved.writePlace(place);

    expect([saved.readPlace(), saved.read()]).toEqual([place, null]);
    saved.forgetPlace();
    expect(saved.readPlace()).toBeNull();
  });

  test('does not call in a tab that is restored later', () => {
    const saved = new SavedCall('one', storageOf());
    saved.writePlace(place);

    vi.advanceTimersByTime(60_000);

    expect(saved.readPlace()).toBeNull();
  });
});

describe('saved call', () => {
  test('is kept per agent until it is forgotten', () => {
    const storage = storageOf();
    const [firstCall, secondCall] = [
      new SavedCall('one', storage),
      new SavedCall('other', storage),
    ];

    firstCall.write({ call: pass, microphone: false });

    expect([firstCall.read(), secondCall.read()]).toEqual([
      { call: pass, microphone: false },
      null,
    ]);
    firstCall.forget();
    expect(firstCall.read()).toBeNull();
  });
});
