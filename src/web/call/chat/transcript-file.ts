import type { Line } from '../state/call-state.ts';
import type { CallWords } from '../words/call-words.ts';

/** The transcript as a text. `endedAt` is a date in the person's own format. */
export function transcriptText(
  { you, transcriptHead }: CallWords,
  lines: Line[],
  agentName: string,
  endedAt = new Date().toLocaleString(),
): string {
  const texts = lines.map(({ sender, text }) => `${sender === 'ai' ? agentName : you}: ${text}`);
  return [transcriptHead(agentName, endedAt), ...texts, ''].join('\n\n');
}

export function saveText(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
