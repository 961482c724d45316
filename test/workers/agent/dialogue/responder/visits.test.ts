import { describe, expect, test } from 'vitest';
import { lexiconOf } from '../../../../../workers/agent/dialogue/responder/lexicon.ts';
import { LANGUAGES } from '../../../../../workers/agent/dialogue/responder/languages/languages.ts';
import { repliesOf } from './asking.ts';
import { VISITS } from './visits.ts';

test('ten languages are visited', () => {
  expect(Object.keys(VISITS)).toEqual(Object.keys(LANGUAGES));
});

describe.each(Object.entries(VISITS))('in %s', (language, { smallTalk, file, questions }) => {
  const { unknown, noFacts } = lexiconOf(language).language.replies;
  const files = [{ name: 'info.md', text: file }];

  test.each(smallTalk)('small talk needs no file: %s', async (said, expected) => {
    const [reply] = await repliesOf({ language }, [said]);

    expect(reply).toMatch(expected);
    expect(reply).not.toContain(unknown);
  });

  test.each(questions)('a file answers, or is not made to: %s', async (asked, expected) => {
    const said = typeof asked === 'string' ? [asked] : asked;

    const reply = (await repliesOf({ language, files }, said)).at(-1);

    if (expected) expect(reply).toMatch(expected);
    else expect(reply).toContain(unknown);
  });

  test('an agent that knows nothing says so once', async () => {
    const [first, second] = await repliesOf({ language }, ['xyzzy?', 'plugh?']);

    expect(first).toContain(noFacts);
    expect(second).toBe(unknown);
  });
});
