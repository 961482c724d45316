import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ChatService } from '../../../../src/web/call/connection/chat-service.ts';
import type { TypedTexts } from '../../../../src/web/call/chat/typed-texts.ts';
import type { JoinRequest } from '../../../../src/web/call/connection/join-request.ts';
import type { LiveCall } from '../../../../src/web/call/connection/live-call.ts';
import { onIntent } from '../../../../src/web/call/connection/intent.ts';
import type { MediaElements } from '../../../../src/web/call/picture/avatar-view.ts';
import type { SavedCall, SavedPlace } from '../../../../src/web/call/connection/saved-call.ts';
import { VisitorCall } from '../../../../src/web/call/state/visitor-call.ts';

const AGENT = {
  name: 'Mira',
  language: 'en',
  picture: null,
  hears: true,
  hearsSoon: false,
  hasAiLabel: true,
};
const REQUEST = { userName: '', microphone: false, camera: false };

const noMedia = () => Promise.reject(new TypeError('Failed to fetch'));

type Tab = {
  isInCall?: boolean;
  place?: SavedPlace | null;
  media?: () => Promise<typeof LiveCall>;
};

/** A visitor in a tab with or without a call. */
function visitor({ isInCall = false, place = null, media = noMedia }: Tab = {}) {
  const agent = Promise.withResolvers<typeof AGENT>();
  const loadMedia = vi.fn(media);
  const saved = { call: { id: 'call', url: 'wss://media.example', token: 'secret' } };
  const chat = { agent: () => agent.promise };
  const call = new VisitorCall({
    chat: chat as unknown as ChatService,
    saved: {
      read: () => (isInCall ? saved : null),
      readPlace: () => place,
    } as unknown as SavedCall,
    elements: () => ({}) as MediaElements,
    loadMedia,
  });
  return { call, agent, chat, loadMedia };
}

describe('the media client', () => {
  test('is not loaded with the page', async () => {
    const { call, agent, loadMedia } = visitor();
    agent.resolve(AGENT);

    await call.look();

    expect(loadMedia).not.toHaveBeenCalled();
  });

  test('is loaded with the page of a tab that is in a call', () => {
    const { call, loadMedia } = visitor({ isInCall: true });

    void call.look();

    // The agent is still being asked for.
    expect(loadMedia).toHaveBeenCalledOnce();
  });

  test('that cannot be loaded is reported when the call begins, not before', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { call, agent } = visitor();
    agent.resolve(AGENT);
    await call.look();

    call.prepare();
    await new Promise(setImmediate);
    expect(call.state.phase.type).toBe('lobby');

    await call.join(REQUEST);
    expect(call.state.phase.type).toBe('refused');
    warn.mockRestore();
  });
});

describe('a tab that stood in line', () => {
  test('goes on waiting after a reload', async () => {
    const joined: JoinRequest[] = [];
    class Waits {
      async join(request: JoinRequest) {
        joined.push(request);
      }
    }
    const place = { userName: 'Zoë', microphone: true, ticket: 'place' };
    const media = async () => Waits as unknown as typeof LiveCall;
    const { call, agent } = visitor({ place, media });
    agent.resolve(AGENT);

    await call.look();

    expect(joined).toEqual([{ ...place, camera: false }]);
    expect(call.state.phase.type).toBe('connecting');
  });
});

describe('an agent that hears soon', () => {
  afterEach(() => vi.useRealTimers());

  test('hears in the lobby without a reload', async () => {
    vi.useFakeTimers();
    const { call, agent, chat } = visitor();
    agent.resolve({ ...AGENT, hears: false, hearsSoon: true });
    await call.look();
    expect(call.state.phase).toMatchObject({ type: 'lobby', agent: { hears: false } });

    chat.agent = async () => AGENT;
    await vi.runAllTimersAsync();

    expect(call.state.phase).toMatchObject({ type: 'lobby', agent: { hears: true } });
  });

  test('is not asked after the page is closed', async () => {
    vi.useFakeTimers();
    const { call, agent, chat } = visitor();
    agent.resolve({ ...AGENT, hears: false, hearsSoon: true });
    await call.look();
    const ask = vi.spyOn(chat, 'agent');

    await call.close();
    await vi.runAllTimersAsync();

    expect(ask).not.toHaveBeenCalled();
  });
});

describe('a text that is typed before the call is live', () => {
  test('waits for the agent, also while the media client is loaded', async () => {
    const media = Promise.withResolvers<typeof LiveCall>();
    const { call, agent } = visitor({ media: () => media.promise });
    const sent: string[] = [];
    class ReadAtOnce {
      constructor({ texts }: { texts: TypedTexts }) {
        texts.readBy(async (text) => sent.push(text));
      }
      async join() {}
    }
    agent.resolve(AGENT);
    await call.look();
    const joined = call.join(REQUEST);

    call.say('Are you open?');
    expect(call.state.lines).toMatchObject([{ text: 'Are you open?', isWaiting: true }]);
    media.resolve(ReadAtOnce as unknown as typeof LiveCall);
    await joined;
    await new Promise(setImmediate);

    expect(sent).toEqual(['Are you open?']);
    expect(call.state.lines).toMatchObject([{ text: 'Are you open?', isWaiting: false }]);
  });

  test('is kept for the field when the call fails', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { call, agent } = visitor();
    agent.resolve(AGENT);
    await call.look();
    const joined = call.join(REQUEST);

    call.say('Are you open?');
    await joined;

    expect(call.state).toMatchObject({
      phase: { type: 'refused' },
      lines: [],
      unsent: 'Are you open?',
    });
    warn.mockRestore();
  });

  test('is ignored outside a call', async () => {
    const { call, agent } = visitor();
    agent.resolve(AGENT);
    await call.look();

    call.say('Are you open?');

    expect(call.state.lines).toEqual([]);
  });
});

describe('an intent', () => {
  test.each(['pointermove', 'pointerdown', 'keydown', 'focusin'])('is %s, once', (sign) => {
    const page = new EventTarget();
    const act = vi.fn();
    onIntent(page, act);

    page.dispatchEvent(new Event(sign));
    page.dispatchEvent(new Event(sign));
    page.dispatchEvent(new Event('focusin'));

    expect(act).toHaveBeenCalledOnce();
  });

  test('is not waited for after that was ended', () => {
    const page = new EventTarget();
    const act = vi.fn();

    onIntent(page, act)();
    page.dispatchEvent(new Event('pointermove'));

    expect(act).not.toHaveBeenCalled();
  });
});
