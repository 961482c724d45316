import type { Line } from '../state/call-state.ts';

/** The transcript as a text file. `endedAt` is a date in the person's own format. */
export function transcriptText(lines: Line[], agentName: string, endedAt: string): string {
  const texts = lines.map(({ sender, text }) => `${sender === 'ai' ? agentName : 'You'}: ${text}`);
  return [`Call with ${agentName} (an AI avatar), ended ${endedAt}`, ...texts, ''].join('\n\n');
}

export function saveTranscript(fileName: string, lines: Line[], agentName: string): void {
  const text = transcriptText(lines, agentName, new Date().toLocaleString());
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
