import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CallRating } from '../../../../src/web/call/connection/chat-service.ts';
import { RatingForm } from '../../../../src/web/call/view/rating.ts';
import { words } from '../../../../src/web/call/words/en.ts';
import { FakeElement, stubDocument } from '../../../support/fake-document.ts';

let sent: CallRating[];
let answer: () => Promise<void>;
let choices: FakeElement[];
let label: FakeElement;
let field: FakeElement;
let form: FakeElement;
let status: FakeElement;

beforeEach(() => {
  stubDocument();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  sent = [];
  answer = async () => {};
  const { node } = new RatingForm(words, (rating) => {
    sent.push(rating);
    return answer();
  });
  const [row, ...others] = (node as unknown as FakeElement).children as FakeElement[];
  choices = (row!.children[1] as FakeElement).children as FakeElement[];
  [form, status] = others as [FakeElement, FakeElement];
  [label, field] = form.children as [FakeElement, FakeElement];
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const press = (index: number) => choices[index]!.dispatchEvent(new Event('click'));
const submit = (text: string) => {
  field.value = text;
  form.dispatchEvent(new Event('submit', { cancelable: true }));
};
const chosen = () => choices.map((each) => each.attributes.get('aria-pressed') === 'true');
const said = (text: string) => expect.poll(() => status.textContent).toContain(text);

describe('the rating of a call', () => {
  test('is sent at once, and asks for words then', async () => {
    expect([chosen(), form.hidden]).toEqual([[false, false], true]);

    press(1);

    await said('Thank you');
    expect(sent).toEqual([{ rating: 'bad', comment: '' }]);
    expect([chosen(), form.hidden]).toEqual([[false, true], false]);
    expect(label.textContent).toContain('better');
  });

  test('takes words, which stay when the choice changes', async () => {
    press(1);
    await said('Thank you');
    submit(' It froze. ');
    await said('Your words were sent');
    press(0);
    await expect.poll(() => sent).toHaveLength(3);

    expect(sent.slice(1)).toEqual([
      { rating: 'bad', comment: 'It froze.' },
      { rating: 'good', comment: 'It froze.' },
    ]);
    expect(label.textContent).toContain('good');
  });

  test('arrives in the order of the choices', async () => {
    const first = Promise.withResolvers<void>();
    answer = () => first.promise;
    press(0);
    await expect.poll(() => sent).toHaveLength(1);
    answer = async () => {};
    press(1);
    expect(sent).toHaveLength(1);

    first.resolve();

    await expect.poll(() => sent.map(({ rating }) => rating)).toEqual(['good', 'bad']);
    await expect.poll(chosen).toEqual([false, true]);
  });

  test('takes words while the choice is on its way', async () => {
    const first = Promise.withResolvers<void>();
    answer = () => first.promise;
    press(1);
    submit('It froze.');
    await expect.poll(() => sent).toHaveLength(1);
    answer = async () => {};

    first.reject(new Error('away'));

    await said('Your words were sent');
    expect(sent.at(-1)).toEqual({ rating: 'bad', comment: 'It froze.' });
    expect(chosen()).toEqual([false, true]);
  });

  test('is shown as it was if it cannot be saved, and can be sent again', async () => {
    press(0);
    await said('Thank you');
    answer = () => Promise.reject(new Error('away'));

    press(1);
    await said('could not be saved');
    expect(chosen()).toEqual([true, false]);

    answer = async () => {};
    press(1);
    await said('Thank you');
    expect(chosen()).toEqual([false, true]);
  });
});
