import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import { agentRecords, type AgentRecords } from '../../../src/records/agents/agents.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import {
  linkSecretRecords,
  type LinkSecretRecords,
} from '../../../src/records/agents/link-secrets.ts';
import { anAgent } from '../../support/api/agent.ts';
import { newDatabase } from '../../support/records/database.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';

const NOW = Date.UTC(2026, 0, 1);

let db: Database;
let agents: AgentRecords;
let secrets: LinkSecretRecords;
let accountId: string;
let agentId: string;
beforeEach(async () => {
  db = await newDatabase();
  const secret = randomBytes(32);
  agents = agentRecords(db, testEncryptor(), new Lists(secret));
  secrets = linkSecretRecords(db, testEncryptor(secret));
  accountId = (await accountRecords(db).first(0)).id;
  const agent = anAgent({ accountId, createdAt: NOW });
  agentId = agent.id;
  await agents.insert(agent);
});
afterEach(() => db.destroy());

describe('records of link secrets', () => {
  test('make an agent private, and public again', async () => {
    expect(await secrets.find(agentId)).toBeNull();

    expect(await secrets.set(accountId, agentId, 'a secret')).toBe(true);
    expect(await secrets.find(agentId)).toBe('a secret');
    expect(await agents.get(agentId)).toMatchObject({ isPrivate: true });

    expect(await secrets.set(accountId, agentId, null)).toBe(true);
    expect(await secrets.find(agentId)).toBeNull();
    expect(await agents.get(agentId)).toMatchObject({ isPrivate: false });
  });

  test('are encrypted, and outlast a change of the agent', async () => {
    await secrets.set(accountId, agentId, 'a secret');

    await agents.update(accountId, agentId, { name: 'Jarvis' });

    const rows = await db.selectFrom('agents').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('a secret');
    expect(await secrets.find(agentId)).toBe('a secret');
  });

  test('belong to the owner of the agent', async () => {
    expect(await secrets.set('another', agentId, 'a secret')).toBe(false);
    expect(await secrets.set(accountId, 'nobody', 'a secret')).toBe(false);
    expect(await secrets.find(agentId)).toBeNull();
  });
});
