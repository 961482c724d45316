import type { Line } from '../call/room-state.ts';

/** What was said, as a text to keep. `ended`: as the person's own clock and language write it. */
export function transcriptText(lines: Line[], agentName: string, ended: string): string {
  const said = lines.map(({ sender, text }) => `${sender === 'ai' ? agentName : 'You'}: ${text}`);
  return [`A call with ${agentName} (an AI avatar), ended ${ended}`, ...said, ''].join('\n\n');
}

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
