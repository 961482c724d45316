import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Phase } from '../../../../src/web/call/state/call-state.ts';
import { PlaceInLine } from '../../../../src/web/call/view/place-in-line.ts';
import { words } from '../../../../src/web/call/words/en.ts';
import { stubDocument } from '../../../support/fake-document.ts';
import { SHOWN_AGENT as agent } from '../../../support/pages/shown-agent.ts';

beforeEach(() => stubDocument());
afterEach(() => vi.unstubAllGlobals());

const waiting = (position: number | null): Phase => ({
  type: 'waiting',
  agent,
  tries: 1,
  retryInSeconds: 2,
  position,
});

describe('the place in line', () => {
  test('is shown while it is known', () => {
    const place = new PlaceInLine(words);
    const { node } = place;
    const show = (phase: Phase) => place.show(phase);

    show(waiting(null));
    expect([node.hidden, node.textContent]).toEqual([true, '']);
    show(waiting(1_203));
    expect([node.hidden, node.textContent]).toEqual([false, 'You are number 1,203 in line.']);
    show({ type: 'lobby', agent });
    expect([node.hidden, node.textContent]).toEqual([true, '']);
  });
});
