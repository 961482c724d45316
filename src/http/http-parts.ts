import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { AdminSignIns } from '../accounts/people/admin-sign-ins.ts';
import type { Openid } from '../accounts/people/openid.ts';
import type { People } from '../accounts/people/people.ts';
import type { PersonLinks } from '../accounts/people/person-links.ts';
import type { SignIns } from '../accounts/people/sign-ins.ts';
import type { Usage } from '../accounts/usage.ts';
import type { Outgoing } from '#shared/network/address-policy.ts';
import type { Networks } from '#shared/network/networks.ts';
import type { Tracer } from '#shared/tracing/tracer.ts';
import type { UpgradeRouter } from '#shared/network/upgrade-router.ts';
import type { Avatars } from '../avatars/avatars.ts';
import type { Botrooms } from '../botrooms/botrooms.ts';
import type { DeliveryEvents } from '../events/deliveries.ts';
import type { FleetEvents } from '../fleet/fleet.ts';
import type { RetentionDays } from '../records/accounts/accounts.ts';
import type { Records } from '../records/open-records.ts';
import type { BotroomRooms } from '../botrooms/botroom-rooms.ts';
import type { CallerBots } from '../rooms/caller-bots.ts';
import type { CallerRooms } from '../rooms/caller-rooms.ts';
import type { MediaServer } from '../rooms/media-servers.ts';
import type { Calls } from '../calls/calls.ts';
import type { SessionEvents } from '../sessions/session-events.ts';
import type { SessionRecords } from '../records/sessions/sessions.ts';
import { Auditor } from './audit/auditor.ts';
import type { Callers } from './auth/api-key.ts';
import type { OpeningParts } from './sessions/open-session.ts';
import type { VendorAvatarOptions } from './compat/avatars.ts';
import type { VendorPicturesParts } from './compat/pictures.ts';
import type { PageCode } from './auth/page-code.ts';
import type { SharedRateCounter } from './limits/rate-limit.ts';
import type { BotroomMetricParts } from './metrics/botroom-metrics.ts';
import type { CallMetricParts } from './metrics/call-metrics.ts';
import type { CanaryMetricParts } from './metrics/canary-metrics.ts';
import type { OverflowMetricParts } from './metrics/overflow-metrics.ts';
import type { OverflowParts } from './fleet/overflow-routes.ts';
import type { RequestJournal } from './requests/request-journal.ts';
import type { AdminParts } from './admin/admin-routes.ts';
import type { AvatarParts } from './avatars/avatar-routes.ts';
import type { BlobParts } from './workers/blob-routes.ts';
import type { CanaryParts } from './fleet/canary-routes.ts';
import type { ChatParts } from './chat/chat-routes.ts';
import type { ExternalApiParts } from './external-apis/external-api-routes.ts';
import type { FleetParts } from './fleet/fleet-routes.ts';
import type { WorkerTokenParts } from './workers/worker-token-routes.ts';
import type { HealthParts } from './health/health-routes.ts';
import type { KnowledgeFileParts } from './knowledge/knowledge-file-routes.ts';
import type { SheetParts } from './avatars/sheet-routes.ts';
import type { StillParts } from './sessions/still-routes.ts';
import type { TimelineParts } from './sessions/timeline-routes.ts';
import type { WebhookParts } from './webhooks/webhook-routes.ts';
import type { WorkerCallParts } from './workers/worker-call-routes.ts';

/** A request must have arrived `withinMs` after its first byte. */
export type ArrivalLimits = { withinMs: number; checkEveryMs: number };

/** Passed in and closed by `app.ts`, in groups by the part that makes them. */
export type HttpParts = {
  log: Log;
  clock: Clock;
  outgoing: Outgoing;
  records: Records;
  addresses: {
    /** Default: the address of each request. */
    publicUrl: string | undefined;
    /** The media server's address for browsers. */
    mediaServerUrl: string | undefined;
    /** Origin of the room pages if it is not the API's. */
    chatOrigin: string | null;
    /** Null: no proxy's headers are believed. */
    trustedProxies: Networks | null;
  };
  access: {
    callers: Callers;
    pageCode: PageCode;
    /** Whether a local caller may read metrics without a key. */
    trustsThisMachine: boolean;
    /** Undefined: no admin API. */
    adminPassword: string | undefined;
    usage: Usage;
    adminSignIns: AdminSignIns;
    people: People;
    personLinks: PersonLinks;
    signIns: SignIns;
    /** Null: people sign in with passwords only. */
    openid: Openid | null;
    /** Whether a visitor on this machine needs no password while no person has one. */
    opensForThisMachine: boolean;
    /** Retention of the installation. */
    retentionDays: RetentionDays;
  } & Pick<AdminParts, 'keys' | 'deletions'> &
    Pick<WorkerTokenParts & BlobParts, 'workerTokens'>;
  limits: {
    /** Per key. */
    requestsPerMinute: number;
    /** Per agent and client address. */
    chatCallsPerHour: number;
    eventStreamsPerKey: number;
    /** Null: this control plane is the only one. */
    sharedRateCounter: SharedRateCounter | null;
    arrival?: Partial<ArrivalLimits> | undefined;
  };
  dependencies: HealthParts['dependencies'];
  fleet: Pick<HealthParts, 'rooms' | 'fleet'> &
    Pick<FleetParts, 'fleet' | 'warmSlots'> &
    Pick<StillParts & SheetParts, 'fleet'> &
    Pick<OverflowMetricParts & OverflowParts, 'overflow'> & { fleetEvents: FleetEvents };
  sessions: {
    sessions: Pick<SessionRecords, 'find' | 'page'>;
    sessionCreation: OpeningParts['sessionCreation'];
    sessionEnding: OpeningParts['sessionEnding'];
    callerRooms: CallerRooms;
    callerBots: CallerBots;
    botrooms: BotroomRooms;
    timelines: TimelineParts['timelines'];
    reconciler: FleetParts['reconciler'];
    drains: FleetParts['drains'];
    cordons: FleetParts['cordons'];
    canary: CanaryParts['canary'] & CanaryMetricParts['canary'];
    rebalancing: FleetParts['rebalancing'];
    /** Events of the sessions of all control planes. */
    events: SessionEvents;
    /** Events of the sessions that this control plane owns. */
    ownEvents: SessionEvents;
  };
  relay: { relay: Botrooms & BotroomMetricParts['relay']; upgrades: UpgradeRouter };
  avatars: { avatars: Avatars } & Pick<AvatarParts, 'enrolments'> & VendorPicturesParts;
  calls: { calls: Calls } & Pick<ChatParts, 'recognizesSpeech' | 'hasAiLabel'> &
    Pick<WorkerCallParts, 'workerCalls'> &
    Pick<KnowledgeFileParts, 'uploads'> &
    Pick<ExternalApiParts, 'post'> &
    CallMetricParts;
  /** Null: nothing is traced. */
  tracer: Tracer | null;
  journal: RequestJournal;
  webhooks: { wake: WebhookParts['wakeDeliveries']; events: DeliveryEvents };
  vendors: VendorAvatarOptions & { secret: Buffer; mediaServers: readonly MediaServer[] };
};

/** The parts under the names that routes use. */
export function routeParts({
  log,
  clock,
  outgoing,
  records,
  dependencies,
  journal,
  webhooks,
  ...groups
}: HttpParts) {
  return {
    log,
    clock,
    outgoing,
    dependencies,
    journal,
    ...groups.access,
    ...groups.limits,
    ...groups.fleet,
    ...groups.sessions,
    ...groups.relay,
    ...groups.avatars,
    ...groups.calls,
    auditor: new Auditor({ ...records, clock }),
    auditLog: records.auditLog,
    accounts: records.accounts,
    accountLists: records.accountLists,
    personRecords: records.people,
    linkRecords: records.personLinks,
    signInRecords: records.signIns,
    agents: records.agents,
    avatarRecords: records.avatars,
    blobs: records.blobs,
    canaries: records.canaries,
    deliveries: records.deliveries,
    diskSpace: records.diskSpace,
    erasure: records.erasureOnRequest,
    exported: { ...records, sessions: groups.sessions.sessions },
    externalApis: records.externalApis,
    keyRecords: records.apiKeys,
    knowledgeFiles: records.knowledgeFiles,
    linkSecrets: records.linkSecrets,
    outsideSessions: records.outsideSessions,
    replies: records.replies,
    sessionFeed: records.sessionFeed,
    sessionHistory: records.sessionHistory,
    fleetHistory: records.fleetHistory,
    metricHistory: records.metricHistory,
    migrations: records.migrations,
    webhooks: records.webhooks,
    workerTokenRecords: records.workerTokens,
    wakeDeliveries: webhooks.wake,
    deliveryEvents: webhooks.events,
  };
}
