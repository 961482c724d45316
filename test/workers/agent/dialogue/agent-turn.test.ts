import { describe, expect, test } from 'vitest';
import {
  advance,
  unrecordedIn,
  type AgentTurn,
  type AgentTurnEvent,
} from '../../../../workers/agent/dialogue/agent-turn.ts';
import { Utterance } from '../../../../workers/agent/speech/utterance.ts';

const first = new Utterance(null);
const second = new Utterance(null);
const silent: AgentTurn = { type: 'silent' };
const begun = (utterance: Utterance): AgentTurnEvent => ({ type: 'begun', utterance });
const over = (utterance: Utterance, byAvatar = false): AgentTurnEvent => ({
  type: 'over',
  utterance,
  byAvatar,
});
const recorded: AgentTurnEvent = { type: 'recorded' };

const after = (...events: AgentTurnEvent[]): AgentTurn =>
  events.reduce<AgentTurn>((turn, event) => advance(turn, event), silent);

describe('the turn of the agent', () => {
  test('is silent, speaking, spoken, and silent again', () => {
    expect(after(begun(first))).toEqual({ type: 'speaking', utterance: first, unrecorded: null });
    expect(after(begun(first), over(first)).type).toBe('spoken');
    expect(after(begun(first), over(first), recorded)).toEqual(silent);
  });

  test('remembers an utterance that is over until it is recorded', () => {
    const turn = after(begun(first), over(first, true));

    expect(unrecordedIn(turn)).toEqual({ utterance: first, byAvatar: true });
    expect(unrecordedIn(advance(turn, recorded))).toBeNull();
  });

  test('continues with the next utterance when the previous one is over late', () => {
    const turn = after(begun(first), begun(second), over(first));

    expect(turn).toMatchObject({ type: 'speaking', utterance: second });
    expect(unrecordedIn(turn)?.utterance).toBe(first);
    expect(advance(turn, recorded)).toEqual({
      type: 'speaking',
      utterance: second,
      unrecorded: null,
    });
  });

  test('drops an unrecorded utterance when the next one begins', () => {
    expect(unrecordedIn(after(begun(first), over(first), begun(second)))).toBeNull();
  });

  test('stays silent when a line without speech is recorded', () => {
    expect(after(recorded)).toEqual(silent);
  });
});
