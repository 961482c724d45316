import type { Line } from '../../call/state/call-state.ts';

export function Said({ lines, agentName }: { lines: Line[]; agentName: string }) {
  return (
    <ol className="said">
      {lines.map(({ id, sender, text, isFinal }) => (
        <li key={id} data-sender={sender} data-final={isFinal}>
          <b>{sender === 'ai' ? agentName : 'You'}</b>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}
