import { describe, expect, test } from 'vitest';
import { canRecognise, recogniseOnce } from '../../../../src/web/call/chat/recognition.ts';

class FakeRecognition extends EventTarget {
  static last: FakeRecognition;
  lang = '';
  interimResults = false;
  isRunning = false;

  constructor() {
    super();
    FakeRecognition.last = this;
  }

  start(): void {
    this.isRunning = true;
  }

  abort(): void {
    this.isRunning = false;
    this.dispatchEvent(new Event('end'));
  }

  tell(type: string, fields: object = {}): void {
    this.dispatchEvent(Object.assign(new Event(type), fields));
  }
}

const page = { webkitSpeechRecognition: FakeRecognition };

function listen() {
  const reports: unknown[] = [];
  const stop = recogniseOnce(page, 'de', {
    onGuess: (text) => reports.push(text),
    onOver: (...over) => reports.push(over),
  });
  return { reports, stop, recognition: FakeRecognition.last };
}

describe('speech recognition of the browser', () => {
  test('is detected', () => {
    expect([canRecognise(page), canRecognise({})]).toEqual([true, false]);
  });

  test('reports interim results, and the final text at the end', () => {
    const { reports, recognition } = listen();

    recognition.tell('result', { results: [[{ transcript: 'Wann ' }]] });
    recognition.tell('result', {
      results: [[{ transcript: 'Wann ' }], [{ transcript: 'offen?' }]],
    });
    recognition.tell('end');

    expect(recognition).toMatchObject({ lang: 'de', interimResults: true });
    expect(reports).toEqual(['Wann ', 'Wann offen?', ['Wann offen?', null]]);
  });

  test('reports why it failed', () => {
    const { reports, recognition } = listen();

    recognition.tell('error', { error: 'no-speech' });
    recognition.tell('end');

    expect(reports).toEqual([['', 'no-speech']]);
  });

  test('reports nothing after a stop', () => {
    const { reports, stop, recognition } = listen();

    stop();

    expect(recognition.isRunning).toBe(false);
    expect(reports).toEqual([]);
  });
});
