import { afterEach, expect, test, vi } from 'vitest';
import { Dictation } from '../../../../src/web/room/call/dictation.ts';
import { words } from '../../../../src/web/room/words/en.ts';
import { FakeElement, stubDocument } from '../../../support/fake-document.ts';

/** A browser without a microphone. */
class DeafRecognition extends EventTarget {
  start(): void {
    this.dispatchEvent(Object.assign(new Event('error'), { error: 'audio-capture' }));
    queueMicrotask(() => this.dispatchEvent(new Event('end')));
  }

  abort(): void {}
}

afterEach(() => vi.unstubAllGlobals());

test('dictation forgets a problem when the call ends', async () => {
  stubDocument();
  vi.stubGlobal('window', { SpeechRecognition: DeafRecognition });
  const onText = vi.fn<(text: string) => void>();
  const dictation = new Dictation(words, { onText, say: () => {} });
  const [button, problem] = dictation.nodes as unknown as [FakeElement, FakeElement];

  button.dispatchEvent(new Event('click'));
  await Promise.resolve();
  expect(problem).toMatchObject({ textContent: 'No microphone was found.', hidden: false });

  onText.mockClear();
  dictation.close();
  expect(problem).toMatchObject({ textContent: '', hidden: true });
  // The field may hold what the person types.
  expect(onText).not.toHaveBeenCalled();
});
