import { describe, expect, test } from 'vitest';
import { overlapKind, type OverlapFacts } from '../../../../workers/agent/listening/overlap.ts';

const AGENT_TEXT =
  'Our restaurant is open every day from noon until ten, and on Sundays we serve breakfast from nine in the morning.';

const kindOf = (text: string, facts: Partial<OverlapFacts> = {}) =>
  overlapKind(text, {
    language: 'en',
    certainty: 1,
    agentText: AGENT_TEXT,
    interruptibility: 'medium',
    isOver: true,
    ...facts,
  });

describe('speech over the agent', () => {
  test.each(['Mm-hmm.', 'Yes.', 'Okay, great.', 'Yeah, yeah, right.', 'Oh, I see.', 'Got it.'])(
    'is an aside: %s',
    (text) => {
      expect(kindOf(text)).toBe('backchannel');
    },
  );

  test.each([
    'What does that cost?',
    'No.',
    'But what about Sunday?',
    'Okay, but can I bring my dog?',
    'I have another question.',
    'Wait, what about the children?',
  ])('is an interruption: %s', (text) => {
    expect(kindOf(text)).toBe('interruption');
  });

  test.each(['Stop.', 'Wait a minute.', 'Hold on, please stop.', 'Excuse me.', 'Okay, wait.'])(
    'tells the agent to be quiet: %s',
    (text) => {
      expect(['command', 'interruption']).toContain(kindOf(text));
    },
  );

  test('is only a command when nothing else is said', () => {
    expect(kindOf('Wait.')).toBe('command');
    expect(kindOf('Wait, what?')).toBe('interruption');
  });

  test.each(['', 'Uh.', 'The.'])('is nothing: "%s"', (text) => {
    expect(kindOf(text)).toBe('nothing');
  });

  test.each([
    'Our restaurant is open every day from noon',
    'restaurant is open every day from new to ten',
    'on Sundays we serve',
  ])('is the echo of the agent, also when misheard: %s', (text) => {
    expect(kindOf(text)).toBe('echo');
  });

  test('counts what the user adds to the echo', () => {
    expect(kindOf('Our restaurant is open every day. What does that cost?')).toBe('interruption');
    expect(kindOf('restaurant is open every day, okay')).toBe('backchannel');
  });

  test.each(['Oh, okay, breakfast.', 'I see. And in the morning.'])(
    'is an aside with words of the echo after it: %s',
    (text) => {
      expect(kindOf(text)).toBe('backchannel');
    },
  );

  test.each([
    ['Okay, stop.', 'command'],
    ['Okay, when?', 'interruption'],
  ])('may follow an aside with a word of the agent: %s', (text, kind) => {
    expect(kindOf(text, { agentText: 'You may stop when you like' })).toBe(kind);
  });

  test('does not interrupt by uncertain words while the user speaks', () => {
    const facts = { certainty: 0.1, isOver: false };
    expect(kindOf('Send your phone to my phone', facts)).toBe('undecided');
  });

  test.each([
    ['Stop.', 'command'],
    ['What does it cost?', 'interruption'],
    ['I have a hundred questions.', 'interruption'],
  ])('interrupts though its last words are uncertain: %s', (text, kind) => {
    expect(kindOf(text, { certainty: 0.1 })).toBe(kind);
  });

  test('may use words of the agent', () => {
    expect(kindOf('Is the garden open on Sundays?')).toBe('interruption');
  });

  test('does not count the last word while the user speaks', () => {
    expect(kindOf('I have', { isOver: false })).toBe('undecided');
    expect(kindOf('I have another quest', { isOver: false })).toBe('interruption');
  });

  test('interrupts according to the agent', () => {
    expect(kindOf('On Tuesday.', { interruptibility: 'high' })).toBe('interruption');
    expect(kindOf('I have another question.', { interruptibility: 'low' })).toBe('backchannel');
    expect(kindOf('What does it cost?', { interruptibility: 'low' })).toBe('interruption');
  });

  test.each([
    ['de', 'Ja, genau.', 'Was kostet das?', 'Warten Sie.'],
    ['fr', "Oui, d'accord.", 'Combien ça coûte ?', 'Attendez.'],
    ['es', 'Sí, claro.', '¿Cuánto cuesta?', 'Espera.'],
    ['it', 'Sì, va bene.', 'Quanto costa?', 'Aspetti.'],
    ['pt', 'Sim, claro.', 'Quanto custa?', 'Espere.'],
    ['nl', 'Ja, oké.', 'Wat kost dat?', 'Wacht even.'],
    ['pl', 'Tak, jasne.', 'Ile to kosztuje?', 'Chwileczkę.'],
    ['ja', 'はい、そうですね。', 'いくらですか。', '待って。'],
    ['zh', '嗯，好的。', '多少钱？', '等一下。'],
  ])('is understood in %s', (language, aside, question, command) => {
    const facts = { language, agentText: '' };
    expect(kindOf(aside, facts)).toBe('backchannel');
    expect(kindOf(question, facts)).toBe('interruption');
    expect(kindOf(command, facts)).toBe('command');
  });

  test('interrupts in a language without a list of words', () => {
    expect(kindOf('Kas te olete avatud ka pühapäeval?', { language: 'et' })).toBe('interruption');
  });
});
