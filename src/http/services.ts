import type { FastifyRequest } from 'fastify';
import type { RefusedJob } from '#shared/agent-jobs.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Outgoing } from '#shared/network/address-policy.ts';
import type { Networks } from '#shared/network/networks.ts';
import type { UpgradeRouter } from '#shared/network/upgrade-router.ts';
import type { SpeechPart } from '#shared/process/speech-installs.ts';
import type { Tracer } from '#shared/tracing/tracer.ts';
import type { AccountDeletions } from '../accounts/erasure/account-deletions.ts';
import type { openAccounts } from '../accounts/open-accounts.ts';
import type { FetchPicture } from '../avatars/fetch-picture.ts';
import type { openAvatars } from '../avatars/open-avatars.ts';
import type { BotroomRooms } from '../botrooms/botroom-rooms.ts';
import type { Relay } from '../botrooms/relay.ts';
import type { openCalls } from '../calls/open-calls.ts';
import type { openWebhooks } from '../events/open-webhooks.ts';
import type { Fleet, FleetEvents } from '../fleet/fleet.ts';
import type { Uploads } from '../knowledge/upload.ts';
import type { Overflows } from '../overflow/open-overflow.ts';
import type { RetentionDays } from '../records/engine/tables/account-columns.ts';
import type { Records } from '../records/open-records.ts';
import type { SessionRecords } from '../records/sessions/sessions.ts';
import type { AgentRooms } from '../rooms/agent-rooms.ts';
import type { CallerBots } from '../rooms/caller-bots.ts';
import type { CallerRooms } from '../rooms/caller-rooms.ts';
import type { MediaServer } from '../rooms/media-servers.ts';
import type { Rooms } from '../rooms/rooms.ts';
import type { openSessions } from '../sessions/open-sessions.ts';
import type { Installations } from '../speech-models/installations.ts';
import { LongAnswers } from './answers/long-answers.ts';
import { Auditor } from './audit/auditor.ts';
import { AdminPassword } from './auth/admin-password.ts';
import { Bodies, type BodySettings } from './bodies/bodies.ts';
import type { PageCode } from './auth/page-code.ts';
import { PageTokens } from './auth/page-token.ts';
import type { VendorAvatarOptions } from './compat/avatars.ts';
import { ConsoleAccess } from './console/console-access.ts';
import { readinessOf, type Dependencies } from './health/readiness.ts';
import { Guesses, type SharedGuessCounts } from './limits/guesses.ts';
import { Idempotency } from './limits/idempotency.ts';
import { strangerLimits, type SharedRateCounter } from './limits/rate-limit.ts';
import type { RequestJournal } from './requests/request-journal.ts';

export type ArrivalLimits = {
  /** A request must have arrived by then after its first byte. */
  withinMs: number;
  checkEveryMs: number;
  /** A client that takes nothing of its answer for so long is disconnected. */
  takenWithinMs: number;
};

export type HttpSettings = {
  /** Default: the address of each request. */
  publicUrl: string | undefined;
  /** The media server's address for browsers. */
  mediaServerUrl: string | undefined;
  /** Origin of the room pages if it is not the API's. */
  chatOrigin: string | null;
  /** Null: no proxy's headers are believed. */
  trustedProxies: Networks | null;
  /** Whether a local caller may read metrics without a key. */
  trustsThisMachine: boolean;
  /** Whether a visitor on this machine needs no password while no person has one. */
  opensForThisMachine: boolean;
  /** Undefined: no admin API. */
  adminPassword: string | undefined;
  /** Retention of the installation. */
  retentionDays: RetentionDays;
  /** Per key. */
  requestsPerMinute: number;
  /** Per agent and client address. */
  chatCallsPerHour: number;
  eventStreamsPerKey: number;
  bodies: BodySettings;
  /** Bytes of answers that clients have not read yet. */
  unreadBytes: number;
  arrival?: Partial<ArrivalLimits> | undefined;
  /** Free slots to keep in each pool. */
  warmSlots: number;
  hasAiLabel: boolean;
  vendorAvatars: VendorAvatarOptions;
};

type Opened<Open extends (...options: never[]) => unknown> = Awaited<ReturnType<Open>>;

/** Made and closed by `app.ts`. */
export type DomainServices = {
  settings: HttpSettings;
  clock: Clock;
  log: Log;
  outgoing: Outgoing;
  records: Records;
  rooms: Rooms;
  /** Null: this service has no media server of its own. */
  agentRooms: AgentRooms | null;
  /** Recent jobs that no LiveKit agent accepted. Null: unknown. */
  refusedJobs: () => Promise<RefusedJob[] | null>;
  /** Parts that `npm start` is installing for agents. */
  installing: () => Promise<SpeechPart[]>;
  callerRooms: CallerRooms;
  callerBots: CallerBots;
  /** Whose keys sign inference tokens. */
  mediaServers: readonly MediaServer[];
  botrooms: BotroomRooms;
  relay: Relay;
  upgrades: UpgradeRouter;
  sessions: Pick<SessionRecords, 'find' | 'page'>;
  fleet: Fleet;
  fleetEvents: FleetEvents;
  overflow: Overflows;
  fetchPicture: FetchPicture;
  uploads: Uploads;
  deletions: AccountDeletions;
  webhooks: Pick<Opened<typeof openWebhooks>, 'events' | 'wake'>;
  pageCode: PageCode;
  journal: RequestJournal;
  /** Null: this control plane is the only one. */
  sharedRateCounter: SharedRateCounter | null;
  sharedGuessCounts: SharedGuessCounts | null;
  dependencies: Dependencies;
  /** Installs speech models. Null: agent workers have another DATA_DIR. */
  installations: Installations | null;
  /** Null: nothing is traced. */
  tracer: Tracer | null;
} & Pick<
  Opened<typeof openAccounts>,
  | 'adminSignIns'
  | 'identities'
  | 'keys'
  | 'keyUse'
  | 'openid'
  | 'pageAccount'
  | 'people'
  | 'personLinks'
  | 'signIns'
  | 'usage'
  | 'workerTokens'
> &
  Pick<
    Opened<typeof openSessions>,
    | 'canary'
    | 'cordons'
    | 'drains'
    | 'events'
    | 'ownEvents'
    | 'rebalancing'
    | 'reconciler'
    | 'sessionCreation'
    | 'sessionEnding'
    | 'sessionPictures'
    | 'timelines'
  > &
  Pick<Opened<typeof openAvatars>, 'avatars' | 'enrolments'> &
  Pick<
    Opened<typeof openCalls>,
    'abilitiesIn' | 'callEvents' | 'callRatings' | 'calls' | 'post' | 'workerCalls'
  >;

/** The objects that route handlers use. */
export type Services = ReturnType<typeof createServices>;

export const createServices = (domain: DomainServices) => {
  const { settings, records, signIns, clock, log } = domain;
  const { publicUrl, chatOrigin, adminPassword } = settings;
  const baseUrl = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`;
  const guesses = new Guesses({ clock, shared: domain.sharedGuessCounts });
  return {
    ...domain,
    auditor: new Auditor({ ...records, clock }),
    longAnswers: new LongAnswers(clock),
    bodies: new Bodies(settings.bodies, clock),
    idempotency: new Idempotency({ replies: records.replies, clock, log }),
    limits: strangerLimits(domain),
    guesses,
    pageTokens: new PageTokens({ secret: records.signingSecret, adminPassword, clock }),
    consoleAccess: new ConsoleAccess({ signIns, publicUrl }),
    readiness: readinessOf(domain),
    /** Null: no admin API, except for operators at the console. */
    adminPassword: adminPassword === undefined ? null : new AdminPassword(adminPassword, guesses),
    /** Where the caller reaches this service. */
    baseUrl,
    /** Base address of the room pages; an agent's page is at `<chatBase>/<id>`. */
    chatBase: (request: FastifyRequest) => chatOrigin ?? baseUrl(request),
  };
};
