import { seatOf, startPythonAgent, type PythonPlugin } from '../../support/agents/python-agent.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import type { RunningService } from '../../support/processes/service.ts';
import { roomToken } from '../room-token.ts';

type Played = { position: number; interrupted: boolean };

/** Reports on a whole and a cut utterance, and the last second heard of the cut one. */
export type PythonConversation = { wholeReport: Played; cutReport: Played; lastHeard: number };

/** An agent says three seconds, and then more, which it interrupts. */
export async function converseInPython(
  plugin: PythonPlugin,
  service: RunningService,
): Promise<PythonConversation> {
  const { avatar, room } = seatOf(plugin);
  const agent = await startPythonAgent(plugin, service);
  const viewer = new AvatarViewer(avatar);
  try {
    await service.hasFreeSlot();
    // Joining creates the room, and the media server dispatches the agent.
    await viewer.join(
      service.mediaServer.url,
      await roomToken(service.mediaServer, room, 'viewer'),
    );
    await agent.next('ready');
    await viewer.sees(25);

    const wholeReport = await agent.next<Played>('whole');
    await viewer.hears(2.5);
    const cutReport = await agent.next<Played>('cut');
    await viewer.hearsNothingFor(1);
    const lastHeard = viewer.lastHeard()!;
    await agent.next('left');
    return { wholeReport, cutReport, lastHeard };
  } finally {
    await viewer.leave();
    await agent.stop();
  }
}
