// Generated from /openapi.json by `npm run sdks`. Do not edit.
import { openTransport, type TroupeOptions } from '../open-transport.ts';
import type { Surroundings } from '../surroundings.ts';
import { AuthResource } from './auth.ts';
import { FleetResource } from './fleet.ts';
import { ExportResource } from './export.ts';
import { AvatarsResource } from './avatars.ts';
import { SessionsResource } from './sessions.ts';
import { EventsResource } from './events.ts';
import { AccountResource } from './account.ts';
import { UsageResource } from './usage.ts';
import { RequestLogResource } from './request-log.ts';
import { HistoryResource } from './history.ts';
import { AuditLogResource } from './audit-log.ts';
import { ApiKeysResource } from './api-keys.ts';
import { PeopleResource } from './people.ts';
import { InvitationsResource } from './invitations.ts';
import { CallsResource } from './calls.ts';
import { ConversationsResource } from './conversations.ts';
import { RoomsResource } from './rooms.ts';
import { AgentsResource } from './agents.ts';
import { AbilitiesResource } from './abilities.ts';
import { VoicesResource } from './voices.ts';
import { KnowledgeFilesResource } from './knowledge-files.ts';
import { ExternalApisResource } from './external-apis.ts';
import { WebhooksResource } from './webhooks.ts';

/** The client. Holds no connection and needs no closing. */
export class Troupe {
  readonly auth: AuthResource;
  readonly fleet: FleetResource;
  readonly export: ExportResource;
  readonly avatars: AvatarsResource;
  readonly sessions: SessionsResource;
  readonly events: EventsResource;
  readonly account: AccountResource;
  readonly usage: UsageResource;
  readonly requestLog: RequestLogResource;
  readonly history: HistoryResource;
  readonly auditLog: AuditLogResource;
  readonly apiKeys: ApiKeysResource;
  readonly people: PeopleResource;
  readonly invitations: InvitationsResource;
  readonly calls: CallsResource;
  readonly conversations: ConversationsResource;
  readonly rooms: RoomsResource;
  readonly agents: AgentsResource;
  readonly abilities: AbilitiesResource;
  readonly voices: VoicesResource;
  readonly knowledgeFiles: KnowledgeFilesResource;
  readonly externalApis: ExternalApisResource;
  readonly webhooks: WebhooksResource;

  /** @internal `around` is for tests and our own programs. */
  constructor(options: TroupeOptions = {}, around?: Surroundings) {
    const transport = openTransport(options, around);
    this.auth = new AuthResource(transport);
    this.fleet = new FleetResource(transport);
    this.export = new ExportResource(transport);
    this.avatars = new AvatarsResource(transport);
    this.sessions = new SessionsResource(transport);
    this.events = new EventsResource(transport);
    this.account = new AccountResource(transport);
    this.usage = new UsageResource(transport);
    this.requestLog = new RequestLogResource(transport);
    this.history = new HistoryResource(transport);
    this.auditLog = new AuditLogResource(transport);
    this.apiKeys = new ApiKeysResource(transport);
    this.people = new PeopleResource(transport);
    this.invitations = new InvitationsResource(transport);
    this.calls = new CallsResource(transport);
    this.conversations = new ConversationsResource(transport);
    this.rooms = new RoomsResource(transport);
    this.agents = new AgentsResource(transport);
    this.abilities = new AbilitiesResource(transport);
    this.voices = new VoicesResource(transport);
    this.knowledgeFiles = new KnowledgeFilesResource(transport);
    this.externalApis = new ExternalApisResource(transport);
    this.webhooks = new WebhooksResource(transport);
  }
}
