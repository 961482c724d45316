import { DEFAULT_TURN_TAKING } from '#protocol/voice/turn-taking.ts';
import { randomBytes } from 'node:crypto';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import { DEFAULT_APPEARANCE } from '../../../src/records/agents/agent-settings.ts';
import { agentRecords, type Agent } from '../../../src/records/agents/agents.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { NORA, type BuiltApp } from './build-app.ts';
import { encryptorAt } from '../records/encryptor.ts';

/** A minimal agent. */
export const anAgent = (
  fields: Pick<Agent, 'accountId' | 'createdAt'> & Partial<Agent>,
): Agent => ({
  id: newRecordId(),
  name: 'Receptionist',
  avatarId: NORA,
  systemPrompt: null,
  language: 'en',
  greeting: null,
  maxSessionLengthMinutes: 30,
  capabilities: [],
  llm: null,
  stt: null,
  tts: null,
  embeddings: null,
  turnTaking: DEFAULT_TURN_TAKING,
  video: null,
  voice: null,
  knowledgeFileIds: [],
  allowedOrigins: [],
  limits: null,
  appearance: DEFAULT_APPEARANCE,
  isPrivate: false,
  ...fields,
});

/** Creates an agent of the first account. */
export async function addAgent(
  { place, clock }: BuiltApp,
  fields: Partial<Agent> = {},
): Promise<Agent> {
  const database = place.open();
  const { id: accountId } = await accountRecords(database).first(0);
  const agent = anAgent({ accountId, createdAt: clock.now(), ...fields });
  const encryptor = await encryptorAt(place, database);
  await agentRecords(database, encryptor, new Lists(randomBytes(32))).insert(agent);
  await database.destroy();
  return agent;
}
