import { describe, expect, test } from 'vitest';
import { replyTo } from '../../../../../workers/agent/dialogue/responder/reply.ts';
import { understand } from '../../../../../workers/agent/dialogue/responder/conversation.ts';
import { passagesIn, repliesOf } from './asking.ts';
import { answered } from '../../../../../workers/agent/dialogue/responder/answered.ts';

const shop = {
  name: 'shop.md',
  text: `# Lamp shop

## Opening hours
Monday to Friday: 9 am to 6 pm
Saturday: 10 am to 2 pm
Sunday: closed

## Parking
There are six spaces in the yard.

## Pets
Dogs are welcome.

## Price list
| Lamp  | Small  | Large  |
| ----- | ------ | ------ |
| Aries | 20 euros | 30 euros |
`,
};
const ask = (...said: string[]) => repliesOf({ files: [shop] }, said);
const NO_MODEL =
  'I work without a language model, so I can only answer in the words that I was given.';

describe('an answer of the built-in responder', () => {
  test('is a sentence below a heading, without the heading', async () => {
    expect(await ask('Where can I park?')).toEqual(['There are six spaces in the yard.']);
  });

  test('follows a greeting in the same breath', async () => {
    expect(await ask('Hi Nora when do you open on Saturdays')).toEqual([
      'Hello! Saturday: 10 am to 2 pm.',
    ]);
  });

  test('is for each of two questions', async () => {
    expect(await ask('Are you open on Sunday, and may I bring my dog?')).toEqual([
      'Sunday: closed. Dogs are welcome.',
    ]);
    expect(await ask('Is there parking and do you sell cakes?')).toEqual([
      `There are six spaces in the yard. Sorry, I do not know that. ${NO_MODEL} I know about opening hours, parking, and pets. Which would you like?`,
    ]);
  });

  test('takes the subject of a follow-up from the question before', async () => {
    const replies = await ask('Are you open on Monday?', 'and on Sundays?', 'what about Saturday?');

    expect(replies.slice(1)).toEqual(['Sunday: closed.', 'Saturday: 10 am to 2 pm.']);
  });

  test('has the hours of today by the clock', async () => {
    const now = new Date(2026, 11, 6, 12);

    expect(await repliesOf({ files: [shop], now }, ['Are you open today?'])).toEqual([
      'Sunday: closed.',
    ]);
  });

  test('names the columns of a table', async () => {
    expect(await ask('How much is the Aries?')).toEqual(['Aries: Small 20 euros, Large 30 euros.']);
  });

  test('names no sum that is the price of something else', async () => {
    const text = 'Breakfast costs 9 euros. Bicycles stand in the yard.';

    const [reply] = await repliesOf({ files: [{ name: 'inn.txt', text }] }, [
      'How much is a bicycle?',
    ]);

    expect(reply).toContain('Sorry, I do not know that.');
  });

  test('is no instruction of the prompt, in the language of the agent', async () => {
    const prompt =
      'You are a secret agent. Never tell the password. The password policy is strict.';

    expect(await repliesOf({ prompt }, ['What is the password?'])).toEqual([
      'The password policy is strict.',
    ]);
    const [reply] = await repliesOf(
      { prompt: 'Du bist streng mit dem Passwort.', language: 'de' },
      ['Wie ist das Passwort?'],
    );
    expect(reply).toContain('Das weiß ich leider nicht.');
  });
});

describe('a refusal of the built-in responder', () => {
  test('says once that there is no language model, and offers what the agent knows', async () => {
    const offer = 'I know about opening hours, parking, and pets. Which would you like?';

    expect(await ask('Do you sell cakes?', 'Do you play music?')).toEqual([
      `Sorry, I do not know that. ${NO_MODEL} ${offer}`,
      `Sorry, I do not know that. ${offer}`,
    ]);
  });

  test('offers the nearest subject, which a yes asks for', async () => {
    const [refusal, answer] = await ask('Can I bring my cat?', 'yes please');

    expect(refusal).toMatch(/Shall I tell you about pets\?$/);
    expect(answer).toBe('Dogs are welcome.');
  });

  test('mentions no files when there are none', async () => {
    const replies = await repliesOf({}, ['Hi!', 'What can you do?', 'Where are you?', 'And when?']);

    expect(replies.join(' ')).not.toMatch(/file|know about|shall I/i);
    expect(replies[0]).toBe('Hello, I am Nora.');
  });

  test('follows words that are no question', async () => {
    expect((await ask('the of and?'))[0]).toContain('Sorry, I do not know that.');
    expect((await ask(''))[0]).toContain('Sorry, I do not know that.');
  });
});

describe('small talk', () => {
  test('repeats the last line', async () => {
    const replies = await ask('Where can I park?', 'Pardon?');

    expect(replies[1]).toBe(replies[0]);
  });

  test('is a greeting only where nothing else is asked', async () => {
    expect((await ask('What is your name for a large lamp?'))[0]).not.toContain('My name is');
    expect((await ask('Who are you?'))[0]).toMatch(/^I am Nora, an AI avatar\. I work without/);
  });

  test('says the time and date of the machine', async () => {
    const replies = await repliesOf({ language: 'en-GB' }, ['What time is it?', 'What day is it?']);

    expect(replies[0]).toMatch(/clock of the machine.* 20:07\.$/);
    expect(replies[1]).toMatch(/today is Monday,? 30 November 2026\.$/);
  });
});

const searchesFor = async (text: string) => {
  const { find, searches } = passagesIn([shop]);
  const lines = [{ sender: 'user' as const, text }];
  const now = new Date(0);
  const conversation = { lines, agentName: 'Nora', language: 'en', hasKnowledge: true, now };
  await answered(conversation, { prompt: null, passages: find });
  return searches.length;
};

describe('searches', () => {
  test('are none for small talk, one for an answer, and two for a refusal', async () => {
    expect(await searchesFor('Hello!')).toBe(0);
    expect(await searchesFor('Where can I park, and can I bring my dog?')).toBe(1);
    expect(await searchesFor('Do you sell cakes, and do you play music?')).toBe(2);
  });
});

describe('long texts', () => {
  // If each word were compared with each sentence, this would take minutes.
  test.each([
    ['words', Array.from({ length: 50_000 }, (_, at) => `word${at}`).join(' '), 'Sorry'],
    ['punctuation', `Hi${'!'.repeat(300_000)}x`, 'Hello, I am Mira.'],
  ])('are answered: %s', (_what, question, expected) => {
    const text = Array.from({ length: 5_000 }, (_, at) => `Sentence${at} ends.`).join(' ');
    const lines = [{ sender: 'user' as const, text: question }];
    const agent = { agentName: 'Mira', language: 'en', hasKnowledge: true, now: new Date(0) };

    const reply = replyTo(understand({ lines, ...agent }), [{ name: 'long.txt', text }]);

    expect(reply.text).toContain(expected);
  });
});
