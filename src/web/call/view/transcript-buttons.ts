import { copyText } from '../../look/copy-text.ts';
import { saveText, transcriptText } from '../chat/transcript-file.ts';
import type { Line } from '../state/call-state.ts';
import type { CallWords } from '../words/call-words.ts';
import { button } from './button.ts';
import { setText } from './dom.ts';

/** Give a person what was said in the call that is over. Empty if nothing was. */
export function transcriptButtons(words: CallWords, lines: Line[], agentName: string): Node[] {
  if (lines.length === 0) return [];
  const text = transcriptText(words, lines, agentName);
  const fileName = words
    .callWith(agentName)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  const copy = button(words.copyTranscript, () => {
    void copyText(text).then((isCopied) =>
      setText(copy, isCopied ? words.copied : words.notCopied),
    );
  });
  // The label that changes is the answer.
  copy.setAttribute('aria-live', 'polite');
  return [button(words.downloadTranscript, () => saveText(`${fileName}.txt`, text)), copy];
}
