import { Link } from 'wouter';
import { formatClock, formatMs } from '../parts/format.ts';
import { Card } from '../parts/page.tsx';
import { Reading } from '../parts/states.tsx';
import { useMay } from '../service/me.ts';
import { useRead } from '../service/queries.ts';
import type { Call, CallMessages } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.sessions;

const LIVE_MS = 3_000;

/** Transcript of a call, oldest line first. */
export function Transcript({ callId, isLive }: { callId: string; isLive: boolean }) {
  const path = `/v1/calls/${callId}`;
  const canRead = useMay('calls:read');
  const call = useRead<Call>(canRead ? path : null);
  const everyMs = () => (isLive ? LIVE_MS : false);
  const messages = useRead<CallMessages>(canRead ? `${path}/messages` : null, { everyMs });
  if (!canRead) return null;
  return (
    <Card
      title={t.transcript}
      note={call.data?.user_name}
      actions={call.data && <Link href={`/agents/${call.data.agent_id}`}>{t.agentOf}</Link>}
    >
      <Reading query={messages}>
        {(messages) =>
          messages.length === 0 ? (
            <p className="soft">{t.transcriptNone}</p>
          ) : (
            // Focusable, because it scrolls.
            <ol className="transcript" tabIndex={0} aria-label={t.transcript}>
              {messages.map((message, index) => (
                <Line key={index} message={message} />
              ))}
            </ol>
          )
        }
      </Reading>
    </Card>
  );
}

function Line({
  message: { message, sender, sent_at, latency },
}: {
  message: CallMessages[number];
}) {
  const answeredAfter = latency?.first_frame_ms ?? latency?.first_audio_ms ?? null;
  return (
    <li data-sender={sender}>
      <p className="soft">
        <strong>{t.speakers[sender]}</strong> {formatClock(sent_at)}
        {answeredAfter !== null && `, ${t.answered(formatMs(answeredAfter))}`}
      </p>
      <p>{message}</p>
    </li>
  );
}
