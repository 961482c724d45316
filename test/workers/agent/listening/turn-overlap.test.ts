import { describe, expect, test } from 'vitest';
import { openTurns } from '../../../support/dialogue/user-turns.ts';

describe('speech over the agent', () => {
  test('interrupts it before its end, and becomes a turn', () => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.answers = { text: 'But what does it cost?', probability: 0.9 };

    turns.speak(600);
    expect(turns.effects('interrupt')).toHaveLength(1);

    turns.speak(400);
    turns.pause(200);
    expect(turns.effects('interrupt')).toHaveLength(1);
    expect(turns.texts).toEqual(['But what does it cost?']);
  });

  test('is transcribed more rarely as it grows', () => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.answers = { text: '', kind: 'nothing' };

    turns.speak(20_000);

    expect(turns.effects('transcribe').length).toBeLessThan(12);
  });

  test('interrupts it with a short word', () => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.answers = { text: 'Stop.', kind: 'command', probability: 0.9 };

    turns.speak(300);
    turns.pause(200);

    expect(turns.effects('interrupt')).toHaveLength(1);
    expect(turns.effects('commit')).toMatchObject([{ text: 'Stop.', isCommand: true }]);
  });

  test('is one word with the silence before its "p"', () => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.answers = { text: 'Stop.', kind: 'command', probability: 0.9 };

    turns.speak(300);
    turns.pause(96);
    turns.speak(100);

    expect(turns.effects('judge_end')).toEqual([]);
  });

  test.each([
    [false, 320],
    [true, 128],
  ])('begins with less of the echo where there is one: %s', (hasEcho, leadMs) => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.hasEcho = hasEcho;

    turns.pause(992);
    turns.speak(300);
    turns.pause(200);

    expect(turns.effects('transcribe')[0]).toMatchObject({ from: 1_024 - leadMs });
  });

  test('is no command when the agent was silent', () => {
    const turns = openTurns();
    turns.answers = { text: 'Stop.', kind: 'command', probability: 0.9 };

    turns.speak(300);
    turns.pause(200);

    expect(turns.effects('commit')).toMatchObject([{ isCommand: false }]);
  });

  test.each(['backchannel', 'nothing', 'echo', 'undecided'] as const)(
    'does not interrupt it as %s',
    (kind) => {
      const turns = openTurns();
      turns.isAgentActive = true;
      turns.answers = { text: 'Okay.', kind, probability: 0.9 };

      turns.speak(1_000);
      turns.pause(1_000);

      expect(turns.effects('interrupt')).toEqual([]);
      expect(turns.texts).toEqual([]);
      expect(turns.state).toBe('quiet');
    },
  );

  test('interrupts an easily interrupted agent whatever it says', () => {
    const turns = openTurns({ turnTaking: { interruptibility: 'high' } });
    turns.isAgentActive = true;

    turns.speak(300);

    expect(turns.effects('interrupt')).toHaveLength(1);
  });

  test('gets the floor when the agent falls silent', () => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.answers = { text: 'Yes.', kind: 'backchannel', probability: 0.9 };

    turns.speak(300);
    turns.fallSilent();
    turns.pause(200);

    expect(turns.texts).toEqual(['Yes.']);
  });

  test('answers the question at whose end it was said', () => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.answers = { text: 'Yes.', kind: 'backchannel', probability: 0.9 };
    turns.speak(300);
    turns.pause(800);
    expect(turns.state).toBe('quiet');

    turns.fallSilent(true);

    expect(turns.texts).toEqual(['Yes.']);
  });

  test.each([
    ['no question', 800, false],
    ['a question that ends much later', 3_000, true],
  ])('does not answer %s', (_, pauseMs, isQuestion) => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.answers = { text: 'Yes.', kind: 'backchannel', probability: 0.9 };
    turns.speak(300);
    turns.pause(pauseMs);

    turns.fallSilent(isQuestion);

    expect(turns.texts).toEqual([]);
  });
});
