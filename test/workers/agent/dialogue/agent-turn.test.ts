import { describe, expect, test } from 'vitest';
import {
  advance,
  unrecordedIn,
  type AgentTurn,
  type AgentTurnEvent,
} from '../../../../workers/agent/dialogue/agent-turn.ts';
import { Utterance } from '../../../../workers/agent/speech/utterance.ts';

const firstUtterance = new Utterance(null);
const second = new Utterance(null);
const silent: AgentTurn = { type: 'silent' };
const begun = (utterance: Utterance): AgentTurnEvent => ({ type: 'begun', utterance });
const ended = (utterance: Utterance, byAvatar = false): AgentTurnEvent => ({
  type: 'over',
  utterance,
  byAvatar,
});
const recorded: AgentTurnEvent = { type: 'recorded' };

const turnAfter = (...events: AgentTurnEvent[]): AgentTurn =>
  events.reduce<AgentTurn>((turn, event) => advance(turn, event), silent);

describe('the turn of the agent', () => {
  test('is silent, speaking, spoken, and silent again', () => {
    expect(turnAfter(begun(firstUtterance))).toEqual({
      type: 'speaking',
      utterance: firstUtterance,
      unrecorded: null,
    });
    expect(turnAfter(begun(firstUtterance), ended(firstUtterance)).type).toBe('spoken');
    expect(turnAfter(begun(firstUtterance), ended(firstUtterance), recorded)).toEqual(silent);
  });

  test('remembers an utterance that is over until it is recorded', () => {
    const turn = turnAfter(begun(firstUtterance), ended(firstUtterance, true));

    expect(unrecordedIn(turn)).toEqual({ utterance: firstUtterance, byAvatar: true });
    expect(unrecordedIn(advance(turn, recorded))).toBeNull();
  });

  test('continues with the next utterance when the previous one is over late', () => {
    const turn = turnAfter(begun(firstUtterance), begun(second), ended(firstUtterance));

    expect(turn).toMatchObject({ type: 'speaking', utterance: second });
    expect(unrecordedIn(turn)?.utterance).toBe(firstUtterance);
    expect(advance(turn, recorded)).toEqual({
      type: 'speaking',
      utterance: second,
      unrecorded: null,
    });
  });

  test('drops an unrecorded utterance when the next one begins', () => {
    expect(
      unrecordedIn(turnAfter(begun(firstUtterance), ended(firstUtterance), begun(second))),
    ).toBeNull();
  });

  test('stays silent when a line without speech is recorded', () => {
    expect(turnAfter(recorded)).toEqual(silent);
  });
});
