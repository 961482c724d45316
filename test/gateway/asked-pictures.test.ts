import { describe, expect, test } from 'vitest';
import { AskedPictures } from '../../src/gateway/asked-pictures.ts';
import { TestClock } from '../support/test-clock.ts';

const KEPT_MS = 4_000;

function open() {
  const clock = new TestClock();
  const asked: string[] = [];
  const pictures = new AskedPictures<string>({ clock, answerMs: 2_000, keptMs: KEPT_MS });
  const look = (name: string) => pictures.of(name, () => void asked.push(name));
  return { clock, asked, pictures, look };
}

describe('pictures that a worker makes', () => {
  test('are asked for by each name once until they are forgotten', async () => {
    const { clock, asked, pictures, look } = open();
    const waiting = [look('one'), look('one'), look('two')];
    pictures.answered('one', 'first');
    pictures.answered('two', 'second');

    expect(await Promise.all(waiting)).toEqual(['first', 'first', 'second']);
    expect(await look('one')).toBe('first');
    expect(asked).toEqual(['one', 'two']);

    clock.advance(KEPT_MS);
    expect(clock.waiting).toBe(0);
    void look('one');
    expect(asked).toEqual(['one', 'two', 'one']);
    pictures.close();
  });

  test('are missing without an answer in time, and a late one changes nothing', async () => {
    const { clock, pictures, look } = open();
    const picture = look('one');
    clock.advance(2_000);
    pictures.answered('one', 'late');

    expect(await picture).toBeNull();
    expect(await look('one')).toBeNull();
    pictures.close();
  });

  test('leave no timer and no waiting caller on close, and ignore what was not asked', async () => {
    const { clock, pictures, look } = open();
    const picture = look('one');
    pictures.answered('two', 'not asked');
    pictures.close();

    expect(await picture).toBeNull();
    expect(clock.waiting).toBe(0);
  });
});
