import type { EndReason } from '#protocol/end-reasons.ts';
import type {
  Avatar,
  FleetPressure,
  Session,
  Usage,
  Webhook,
  Worker,
} from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.home.things;

/** End reasons that need attention. Sessions are meant to end by the others. */
const FAILURES: ReadonlySet<EndReason> = new Set<EndReason>([
  'never_started',
  'room_refused',
  'service_stopped',
  'token_expired',
  'worker_lost',
]);

export const isFailure = ({ end_reason: reason }: Session): boolean =>
  reason !== undefined && FAILURES.has(reason);

/** `href`: where to do something about it. */
export type AttentionEntry = { text: string; href: string; isUrgent: boolean };

/** Undefined: not known, or not for this person. */
export type HomeFacts = {
  usage?: Usage | undefined;
  failures?: Session[] | undefined;
  webhooks?: Webhook[] | undefined;
  avatars?: Avatar[] | undefined;
  workers?: Worker[] | undefined;
  pressure?: FleetPressure | undefined;
};

/** The most urgent first. */
export function attentionEntries(facts: HomeFacts): AttentionEntry[] {
  const entries = [
    ...ofFleet(facts),
    ...ofUsage(facts.usage),
    ...ofSessions(facts.failures ?? []),
    ...(facts.webhooks ?? []).flatMap(ofWebhook),
    ...(facts.avatars ?? []).flatMap(ofAvatar),
  ];
  return entries.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
}

function ofFleet({ workers, pressure }: HomeFacts): AttentionEntry[] {
  const entries: AttentionEntry[] = [];
  const href = '/fleet';
  const faces = workers?.filter(({ kind }) => kind === 'avatar');
  if (faces?.length === 0) entries.push({ text: t.noWorkers, href, isUrgent: true });
  else if (pressure?.free_slots === 0) entries.push({ text: t.noSlots, href, isUrgent: true });
  const waiting = pressure?.queue_depth ?? 0;
  if (waiting > 0) entries.push({ text: t.queue(waiting), href, isUrgent: true });
  const late = faces?.filter(({ state }) => state === 'late').length ?? 0;
  if (late > 0) entries.push({ text: t.late(late), href, isUrgent: false });
  return entries;
}

/** Above this share of the plan there is still time to act. */
const NEARLY_USED = 0.8;

function ofUsage(usage: Usage | undefined): AttentionEntry[] {
  if (!usage) return [];
  const entries: AttentionEntry[] = [];
  const { minutes_used: used, minutes_limit: limit } = usage;
  if (limit !== null && used >= limit) {
    entries.push({ text: t.usageOver, href: '/', isUrgent: !usage.overage_allowed });
  } else if (limit !== null && used >= limit * NEARLY_USED) {
    const percent = Math.floor((used / limit) * 100);
    entries.push({ text: t.usage(percent), href: '/', isUrgent: false });
  }
  if (usage.sessions_limit !== null && usage.sessions_live >= usage.sessions_limit) {
    const href = '/sessions?status=ongoing';
    entries.push({ text: t.sessionsFull, href, isUrgent: true });
  }
  return entries;
}

const ofSessions = ({ length }: Session[]): AttentionEntry[] =>
  length === 0
    ? []
    : [{ text: t.failures(length), href: '/sessions?status=completed', isUrgent: false }];

function ofWebhook({ id, url, status, disabled_reason: reason }: Webhook): AttentionEntry[] {
  const href = `/webhooks/${id}`;
  if (status !== 'disabled' || reason === 'requested') return [];
  const text = reason === 'gone' ? t.webhookGone(url) : t.webhookFailing(url);
  return [{ text, href, isUrgent: true }];
}

const ofAvatar = ({ name, status }: Avatar): AttentionEntry[] =>
  status === 'failed' ? [{ text: t.avatarFailed(name), href: '/avatars', isUrgent: false }] : [];
