import { describe, expect, test } from 'vitest';
import { words } from '../../../../src/web/room/words/en.ts';
import { wayToTalk, wayTexts } from '../../../../src/web/room/lobby/ways-to-talk.ts';

const texts = wayTexts(words);

describe('the way to talk', () => {
  const browser = { webkitSpeechRecognition: EventTarget };

  test.each([
    ['speech for an agent that hears', true, {}, 'speak'],
    ['dictation for one that only reads, if the browser can', false, browser, 'dictate'],
    ['typing otherwise', false, {}, 'write'],
  ])('is %s', (_, hears, page, talkMode) => {
    expect(wayToTalk({ hears }, page)).toBe(talkMode);
  });

  test('is explained, and mentions speech only where it is possible', () => {
    expect(texts.speak('Mira')).toEqual({ lede: expect.stringContaining('Talk'), note: null });
    for (const talkMode of ['dictate', 'write'] as const) {
      const { lede, note } = texts[talkMode]('Mira');
      expect(lede).not.toMatch(/talk|speak/i);
      expect(note).toContain('Mira cannot hear you');
    }
    expect(texts.dictate('Mira').note).toContain('Dictate');
  });
});
