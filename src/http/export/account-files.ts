/*
 * Everything that belongs to an account, as files: lists as lines of JSON in the form of the API.
 * Secrets (keys, room tokens, signing secrets, keys of external APIs) are left out.
 */
import type { AvatarRecord, AvatarRecords } from '../../records/avatars/avatars.ts';
import type { Page, PageRequest } from '../../records/engine/pages.ts';
import type { Records } from '../../records/open-records.ts';
import type { SessionRecords } from '../../records/sessions/sessions.ts';
import { toAccountBody, toApiKeyBody } from '../admin/admin-schemas.ts';
import { toStoredBody } from '../agents/agent-schemas.ts';
import { toAuditEntryBody } from '../audit/audit-log-schemas.ts';
import { toAvatarBody } from '../avatars/avatar-schemas.ts';
import { toCallBody, toMessages } from '../calls/call-schemas.ts';
import { toExternalApiBody } from '../external-apis/external-api-schemas.ts';
import { toListedFile } from '../knowledge/knowledge-file-schemas.ts';
import { piecesOf } from '../knowledge/long-text.ts';
import { toPersonBody } from '../people/people-schemas.ts';
import { toSessionBody } from '../sessions/session-schemas.ts';
import { toTimelineBody } from '../sessions/timeline-schemas.ts';
import { toDeliveryBody, toWebhookBody } from '../webhooks/webhook-schemas.ts';
import { itemsOf, pagesOf, partsOf } from './parts.ts';
import { textFile, wholeFile, type ArchiveFile } from './tar.ts';

type ExportedRecords = Pick<
  Records,
  | 'accountLists'
  | 'accounts'
  | 'agents'
  | 'auditLog'
  | 'blobs'
  | 'callMessages'
  | 'calls'
  | 'deliveries'
  | 'externalApis'
  | 'knowledgeFiles'
  | 'people'
  | 'timelines'
  | 'webhooks'
> & { avatars: Pick<AvatarRecords, 'page'>; sessions: Pick<SessionRecords, 'page'> };

type Exporting = {
  records: ExportedRecords;
  accountId: string;
  /** Base addresses of links, as in the API's answers. */
  baseUrl: string;
  chatBase: string;
};

export async function* filesOf(exporting: Exporting): AsyncGenerator<ArchiveFile> {
  const { records, accountId, chatBase, baseUrl } = exporting;
  const account = await records.accounts.find(accountId);
  if (account)
    yield textFile('account.json', `${JSON.stringify(toAccountBody(account), null, 2)}\n`);

  yield* list('api-keys', (page) => records.accountLists.keys(accountId, page), toApiKeyBody);
  yield* list('people', (page) => records.people.page({ accountId }, page), toPersonBody);
  yield* list(
    'agents',
    (page) => records.agents.page(accountId, page),
    (agent) => toStoredBody(agent, { chatBase, baseUrl }),
  );
  yield* logosOf(exporting);
  yield* list(
    'external-apis',
    (page) => records.externalApis.page(accountId, page),
    toExternalApiBody,
  );
  yield* list(
    'avatars',
    (page) => records.avatars.page(accountId, page),
    (avatar) => toAvatarBody(avatar, baseUrl),
  );
  yield* picturesOf(exporting);
  yield* list(
    'knowledge-files',
    (page) => records.knowledgeFiles.page(accountId, page),
    toListedFile,
  );
  yield* textsOf(exporting);
  yield* sessionsOf(exporting);
  yield* callsOf(exporting);
  yield* webhooksOf(exporting);
  yield* list('audit-log', (page) => records.auditLog.page(page, { accountId }), toAuditEntryBody);
}

const list = <Stored>(
  name: string,
  read: (request: PageRequest) => Promise<Page<Stored>>,
  toBody: (stored: Stored) => unknown,
) => partsOf(name, pagesOf(read), async (stored) => toBody(stored));

async function* logosOf({ records, accountId }: Exporting): AsyncGenerator<ArchiveFile> {
  const pages = pagesOf((page) => records.agents.page(accountId, page));
  for await (const { id, appearance } of itemsOf(pages)) {
    const { logoHash } = appearance;
    const bytes = logoHash === null ? null : await records.blobs.read(logoHash);
    if (bytes) yield wholeFile(`agents/${id}/logo`, bytes);
  }
}

/** The photo and what was built from it. */
async function* picturesOf({ records, accountId }: Exporting): AsyncGenerator<ArchiveFile> {
  const pages = pagesOf((page) => records.avatars.page(accountId, page));
  for await (const avatar of itemsOf(pages)) {
    for (const [name, hash] of blobsOf(avatar)) {
      const bytes = hash === null ? null : await records.blobs.read(hash);
      if (bytes) yield wholeFile(`avatars/${avatar.id}/${name}`, bytes);
    }
  }
}

const blobsOf = (avatar: AvatarRecord) =>
  [
    ['picture', avatar.pictureHash],
    ['background', avatar.backgroundHash],
    ['bundle', avatar.bundleHash],
    ['portrait.webp', avatar.portraitHash],
  ] as const;

async function* textsOf({ records, accountId }: Exporting): AsyncGenerator<ArchiveFile> {
  const pages = pagesOf((page) => records.knowledgeFiles.page(accountId, page));
  for await (const { id } of itemsOf(pages)) {
    const text = await records.knowledgeFiles.textOf(accountId, id);
    if (!text) continue;
    const parts = bytesOf(piecesOf(records.knowledgeFiles, text.id));
    yield { name: `knowledge-files/${id}.txt`, size: text.size, parts };
  }
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}

const sessionsOf = ({ records, accountId }: Exporting) =>
  partsOf(
    'sessions',
    pagesOf((page) => records.sessions.page(accountId, page)),
    async (session) => ({
      ...toSessionBody(session),
      timeline: toTimelineBody(await records.timelines.find(session.id)).data,
    }),
  );

const callsOf = ({ records, accountId }: Exporting) =>
  partsOf(
    'calls',
    pagesOf((page) => records.calls.page(accountId, page)),
    async (call) => ({
      ...toCallBody(call),
      messages: toMessages(await records.callMessages.list(call.id)),
    }),
  );

async function* webhooksOf({ records, accountId }: Exporting): AsyncGenerator<ArchiveFile> {
  const pages = () => pagesOf((page) => records.webhooks.page(accountId, page));
  yield* partsOf('webhooks', pages(), async (webhook) => toWebhookBody(webhook));
  for await (const { id } of itemsOf(pages())) {
    yield* partsOf(
      `webhooks/${id}/deliveries`,
      pagesOf((page) => records.deliveries.page(id, page)),
      async (delivery) => toDeliveryBody(delivery),
    );
  }
}
