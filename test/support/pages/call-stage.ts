/*
 * A service for pages that call an agent: a control plane and a media server, with plain faces and
 * a scripted agent instead of workers.
 */
import { startControlService, type ControlService } from '../../stage/control-service.ts';
import { PlainFaces } from '../agents/plain-faces.ts';
import { ScriptedAgents } from '../agents/scripted-agent.ts';
import { runningServices } from '../processes/failed-journey.ts';
import { FIRST_AVATAR } from '../cast.ts';

export type CallStage = ControlService & {
  /** Answer each typed line by `You wrote: ...`. */
  agents: ScriptedAgents;
  /** Nora, an agent of the account. */
  agentId: string;
};

/** With one slot: a second caller has to wait. Close it in `afterAll`. */
export async function openCallStage({
  greeting,
  env = {},
}: {
  greeting: string;
  env?: Record<string, string>;
}): Promise<CallStage> {
  const service = await startControlService(env);
  const { dataDir, workerToken } = service;
  runningServices.add(dataDir);
  const faces = await PlainFaces.join(service, workerToken, { slots: 1 });
  const agents = await ScriptedAgents.join(service, workerToken, {
    greeting,
    answer: (text) => `You wrote: ${text}`,
  });
  const { id: agentId } = await service.make('/v1/agents', {
    name: FIRST_AVATAR.name,
    avatar_id: FIRST_AVATAR.alias,
  });
  return {
    ...service,
    agents,
    agentId,
    async close() {
      await agents.close();
      await faces.close();
      runningServices.delete(dataDir);
      await service.close();
    },
  };
}
