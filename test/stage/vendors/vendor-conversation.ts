import { decodeJwt } from 'jose';
import type { VideoGrant } from 'livekit-server-sdk';
import type { Face } from '../../support/agents/vendor-faces.ts';
import type { VendorStage } from '../../support/agents/vendor-stage.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import type { AgentProcess } from '../../support/processes/agent-process.ts';
import type { RunningService } from '../../support/processes/service.ts';
import type { Utterance } from '../../support/sound/rising-tone.ts';
import { until } from '../../support/until.ts';

/**
 * Lengths of an agent's tones: a whole one, a long one that it cuts, and the last. It cuts after a
 * second; a busy machine needs longer.
 */
export const WHOLE_S = 2;
export const CUT_OF_S = 60;
export const LAST_S = 1;

/** A playback report that an agent received. `after`: seconds. */
export type Played = { position: number; interrupted: boolean; after: number };

export type VendorConversation = {
  sessionId: string;
  /** The plugin's version. */
  version: string;
  /** From the request for the avatar to the viewer's first frame. */
  seenMs: number;
  /** Null for a variant, which says only the last tone. */
  parts: { wholeReport: Played; cutReport: Played } | null;
  lastReport: Played;
  /** At the viewer. */
  utterances: Utterance[];
};

/** The agent gets its avatar in this room, and a viewer hears it. */
export async function converse(
  { service, stage }: { service: RunningService; stage: VendorStage },
  agent: AgentProcess,
  { isVariant }: Face,
  room: string,
): Promise<VendorConversation> {
  await agent.next('connected', room);
  await service.hasFreeSlot();
  await stage.begin(room);
  const { identity, version = '' } = await agent.next<{ identity: string; version?: string }>(
    'asks',
    room,
  );
  const askedAt = performance.now();
  const viewer = new AvatarViewer(identity);
  try {
    await viewer.join(service.mediaServer.url, await stage.token(room, 'viewer'));
    const firstFrame = viewer.sees(1).then(() => performance.now() - askedAt);
    // An agent whose plugin failed says so before the viewer has waited in vain.
    const [seenMs] = await Promise.all([firstFrame, viewer.listens(), agent.next('ready', room)]);
    viewer.closeEyes();
    await stage.letSpeak(room);
    const sessionId = await sessionIn(service, room);

    let parts: VendorConversation['parts'] = null;
    if (!isVariant) {
      const wholeReport = await agent.next<Played>('whole', room);
      await until(() => (viewer.utterances[1]?.endSecond ?? 0) > 1);
      await stage.letInterrupt(room);
      parts = { wholeReport, cutReport: await agent.next<Played>('cut', room) };
    }
    const lastReport = await agent.next<Played>('last', room);
    // It has been reported as played, but may still be on its way to the viewer.
    await until(() => viewer.utterances.length === (parts ? 3 : 1));
    await viewer.hearsNothingFor(0.5);
    const { utterances } = viewer;
    await stage.dismiss(room);
    await viewer.leave();
    await agent.next('left', room);
    return { sessionId, version, seenMs, parts, lastReport, utterances };
  } finally {
    await viewer.leave();
  }
}

const roomOfToken = (token: string) => decodeJwt<{ video: VideoGrant }>(token).video.room;

/** Only the older path tells the room token, which names the room. */
async function sessionIn(service: RunningService, room: string): Promise<string> {
  const sessions = (await (await service.api('/v1/session')).json()) as {
    id: string;
    livekit_token: string;
  }[];
  return sessions.find(({ livekit_token }) => roomOfToken(livekit_token) === room)!.id;
}
