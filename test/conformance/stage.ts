/*
 * The services that the worker under test connects to: a real control plane and a real media
 * server, on this machine only. The owner closes it.
 */
import { startControlService, type ControlService } from '../stage/control-service.ts';
import { roomsOf } from '../support/processes/media-server.ts';
import { within } from '../stage/time-limit.ts';

const SLOT_PATIENCE_MS = 60_000;

export type Session = {
  id: string;
  status: { type: 'to_start' | 'ongoing' | 'completed' };
  end_reason?: string;
};

export type NewSession = Session & {
  room: { url: string; name: string; agent_token: string; viewer_token: string };
};

export class Stage {
  readonly service: ControlService;

  static async open(): Promise<Stage> {
    return new Stage(await startControlService());
  }

  private constructor(service: ControlService) {
    this.service = service;
  }

  /** Waits for a slot: a worker whose frames were late on a busy machine gets none for a while. */
  async open(avatarId: string): Promise<NewSession> {
    let answer = await this.#post(avatarId);
    await within(SLOT_PATIENCE_MS, 'the control plane finds a free slot', async () => {
      if (answer.status === 503) answer = await this.#post(avatarId);
      return answer.status !== 503;
    });
    return read(answer);
  }

  async find(id: string): Promise<Session> {
    return read(await this.service.api(`/v1/sessions/${id}`));
  }

  async end(id: string): Promise<Session> {
    return read(await this.service.api(`/v1/sessions/${id}/end`, { method: 'POST' }));
  }

  /** Puts the agent out of its room, whether or not its client could leave. */
  async removeAgent(room: string): Promise<void> {
    const rooms = roomsOf(this.service.mediaServer);
    const participants = await rooms.listParticipants(room);
    const isHere = participants.some(({ identity }) => identity === 'agent');
    if (isHere) await rooms.removeParticipant(room, 'agent');
  }

  #post(avatarId: string): Promise<Response> {
    return this.service.api('/v1/sessions', { method: 'POST', body: { avatar_id: avatarId } });
  }
}

async function read<Body>(answer: Response): Promise<Body> {
  if (answer.ok) return (await answer.json()) as Body;
  throw new Error(`${answer.url} answered ${answer.status} ${await answer.text()}`);
}
