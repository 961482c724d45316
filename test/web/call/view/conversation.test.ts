import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Conversation } from '../../../../src/web/call/view/conversation.ts';
import {
  initialState,
  type CallState,
  type Phase,
} from '../../../../src/web/call/state/call-state.ts';
import { words } from '../../../../src/web/call/words/en.ts';
import { FakeElement, stubDocument } from '../../../support/fake-document.ts';
import { SHOWN_AGENT as agent } from '../../../support/pages/shown-agent.ts';

const connecting: Phase = { type: 'connecting', agent, step: 'asking', isReturn: false };
const refused: Phase = { type: 'refused', agent, why: 'full', retryAfterSeconds: null };

let said: string[];
let conversation: Conversation;
beforeEach(() => {
  stubDocument();
  said = [];
  conversation = new Conversation(words, { say: (text) => said.push(text), hint: () => '' });
});
afterEach(() => vi.unstubAllGlobals());

const show = (state: Partial<CallState>) => conversation.show({ ...initialState, ...state });
const all = (node: FakeElement): FakeElement[] => [
  node,
  ...node.children.filter((child) => child instanceof FakeElement).flatMap(all),
];
const nodeWith = (attribute: string, value: string) =>
  all(conversation.node as unknown as FakeElement).find(
    ({ attributes }) => attributes.get(attribute) === value,
  )!;
const field = () => nodeWith('part', 'message-field');
const submit = () => nodeWith('class', 'writer').dispatchEvent(new Event('submit'));

describe('the field of a conversation', () => {
  test('takes texts before the call is live', () => {
    show({ phase: connecting });
    conversation.draft = 'Are you open?';

    submit();

    expect(said).toEqual(['Are you open?']);
    expect(field().value).toBe('');
  });

  test('has a text again that a call did not send, before what was typed since', () => {
    show({ phase: connecting });
    conversation.draft = 'And on';
    show({ phase: refused, unsent: 'Are you open?' });
    expect(field().value).toBe('Are you open? And on');

    submit();
    show({ phase: refused, unsent: 'Are you open?' });

    expect(said).toEqual([]);
    expect(field().value).toBe('Are you open? And on');
  });

  test('says which texts wait', () => {
    const line = { id: '1', sender: 'user', text: 'Open?', isFinal: false } as const;

    show({ phase: connecting, lines: [{ ...line, isWaiting: true }] });

    const [speaker, text] = nodeWith('data-sender', 'user').children as [FakeElement, FakeElement];
    expect(speaker.textContent).toBe('You · sent when Mira is ready');
    // The page may be in another language.
    expect(text.attributes.get('lang')).toBe(agent.language);
  });
});
