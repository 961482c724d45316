import { isFailure } from '../home/attention.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import type { Session } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const tones: Record<Session['status']['type'], Tone> = {
  to_start: 'waiting',
  ongoing: 'live',
  completed: 'quiet',
};

export function SessionBadge({ session }: { session: Session }) {
  const { type } = session.status;
  return (
    <Badge tone={isFailure(session) ? 'bad' : tones[type]}>{texts.sessions.states[type]}</Badge>
  );
}
