import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addAgent } from '../support/api/agent.ts';
import { buildApp, type BuiltApp } from '../support/api/build-app.ts';
import { loseWorker } from '../support/api/lose-worker.ts';
import type { SimulatedWorker } from '../support/simulated-worker.ts';
import { until } from '../support/until.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp();
});
afterEach(() => service.close());

async function openCall() {
  const agent = await addAgent(service);
  const payload = { agent_id: agent.id };
  await service.call('POST', '/v1/calls', { payload });
  const agentAssignment = await service.agents[0]!.next('assign');
  const avatarAssignment = await service.workers[0]!.next('assign');
  return { held: agentAssignment.placement, shown: avatarAssignment.placement };
}

const updated = (count: number) => until(() => service.rooms.metadataChanges.length === count);

/** The session that lost its worker. */
const isAssignedTo = (worker: SimulatedWorker) => until(() => worker.performing.size > 0);

describe('a room whose agent is lost', () => {
  test('gets the lost epoch in its metadata at once', async () => {
    const { held: agentPlacement } = await openCall();
    const otherAgent = await service.joinAgent();

    await loseWorker(service, () => service.agents[0]!.crash());

    await updated(1);
    expect(service.rooms.metadataChanges).toEqual([
      ['room-1', JSON.stringify({ 'troupe.ai_agent': true, 'troupe.agent_lost': 1 })],
    ]);
    await isAssignedTo(otherAgent);
    expect(await otherAgent.next('assign')).toMatchObject({
      placement: { ...agentPlacement, epoch: 2 },
    });

    await loseWorker(service, () => otherAgent.crash());
    await updated(2);
    expect(service.rooms.metadataChanges[1]?.[1]).toContain('"troupe.agent_lost":2');
  });

  test('is updated when the worker returns before a successor', async () => {
    await openCall();
    const [agent] = service.agents;

    await loseWorker(service, () => agent!.loseConnection());
    await updated(1);
    await agent!.join();

    await updated(2);
    expect(service.rooms.metadataChanges[1]).toEqual([
      'room-1',
      JSON.stringify({ 'troupe.ai_agent': true }),
    ]);
  });

  test('is not updated when the avatar is lost', async () => {
    await openCall();
    const otherWorker = await service.join();

    await loseWorker(service, () => service.workers[0]!.crash());
    await isAssignedTo(otherWorker);

    expect(service.rooms.metadataChanges).toEqual([]);
  });

  test('does not affect the call when the media server fails', async () => {
    const { held: agentPlacement } = await openCall();
    const otherAgent = await service.joinAgent();
    service.rooms.isAnswering = false;

    await loseWorker(service, () => service.agents[0]!.crash());
    await isAssignedTo(otherAgent);

    expect(await otherAgent.next('assign')).toMatchObject({
      placement: { ...agentPlacement, epoch: 2 },
    });
    expect(service.rooms.metadataChanges).toEqual([]);
  });
});
