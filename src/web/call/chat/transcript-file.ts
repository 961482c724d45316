import type { Line } from '../state/call-state.ts';

/** The transcript as a text file. `ended` is a date in the person's own format. */
export function transcriptText(lines: Line[], agentName: string, ended: string): string {
  const said = lines.map(({ sender, text }) => `${sender === 'ai' ? agentName : 'You'}: ${text}`);
  return [`Call with ${agentName} (an AI avatar), ended ${ended}`, ...said, ''].join('\n\n');
}

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
