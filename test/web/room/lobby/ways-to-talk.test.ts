import { describe, expect, test } from 'vitest';
import { wayToTalk, wayTexts } from '../../../../src/web/room/lobby/ways-to-talk.ts';

describe('the way to talk', () => {
  const browser = { webkitSpeechRecognition: EventTarget };

  test.each([
    ['speech for an agent that hears', true, {}, 'speak'],
    ['dictation for one that only reads, if the browser can', false, browser, 'dictate'],
    ['typing otherwise', false, {}, 'write'],
  ])('is %s', (_, hears, page, way) => {
    expect(wayToTalk({ hears }, page)).toBe(way);
  });

  test('is explained, and mentions speech only where it is possible', () => {
    expect(wayTexts.speak('Mira')).toEqual({ lede: expect.stringContaining('Talk'), note: null });
    for (const way of ['dictate', 'write'] as const) {
      const { lede, note } = wayTexts[way]('Mira');
      expect(lede).not.toMatch(/talk|speak/i);
      expect(note).toContain('Mira cannot hear you');
    }
    expect(wayTexts.dictate('Mira').note).toContain('Dictate');
  });
});
