/*
 * The services that the worker under test connects to: a real control plane and a real media server, on this
 * machine only. The owner closes it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RoomServiceClient } from 'livekit-server-sdk';
import { newSecret } from '#shared/ids.ts';
import { startControlProcess, type ControlProcess } from '../support/processes/control-process.ts';
import { startMediaServer, type RunningMediaServer } from '../support/processes/media-server.ts';
import { within } from './within.ts';

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
  readonly workerToken: string;
  readonly dataDir: string;
  readonly #mediaServer: RunningMediaServer;
  readonly #controlPlane: ControlProcess;
  readonly #key: string;

  static async open(): Promise<Stage> {
    const [key, workerToken] = [newSecret(), newSecret()];
    const dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-conformance-'));
    const mediaServer = await startMediaServer();
    try {
      const controlPlane = await startControlProcess({
        DATA_DIR: dataDir,
        LIVEKIT_URL: mediaServer.url,
        LIVEKIT_API_KEY: mediaServer.apiKey,
        LIVEKIT_API_SECRET: mediaServer.apiSecret,
        TROUPE_API_KEY: key,
        WORKER_TOKEN: workerToken,
        REQUESTS_PER_MINUTE: '1000000',
      });
      return new Stage({ dataDir, mediaServer, controlPlane, key, workerToken });
    } catch (error) {
      await mediaServer.stop();
      throw error;
    }
  }

  private constructor(parts: {
    dataDir: string;
    mediaServer: RunningMediaServer;
    controlPlane: ControlProcess;
    key: string;
    workerToken: string;
  }) {
    this.dataDir = parts.dataDir;
    this.workerToken = parts.workerToken;
    this.#mediaServer = parts.mediaServer;
    this.#controlPlane = parts.controlPlane;
    this.#key = parts.key;
  }

  /** The control plane. */
  get url(): string {
    return this.#controlPlane.url;
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
    return read(await this.#request('GET', `/v1/sessions/${id}`));
  }

  async end(id: string): Promise<Session> {
    return read(await this.#request('POST', `/v1/sessions/${id}/end`));
  }

  /** Puts the agent out of its room, whether or not its client could leave. */
  async removeAgent(room: string): Promise<void> {
    const { url, apiKey, apiSecret } = this.#mediaServer;
    const rooms = new RoomServiceClient(url.replace('ws', 'http'), apiKey, apiSecret);
    const participants = await rooms.listParticipants(room);
    const isHere = participants.some(({ identity }) => identity === 'agent');
    if (isHere) await rooms.removeParticipant(room, 'agent');
  }

  async close(): Promise<void> {
    await this.#controlPlane.kill();
    await this.#mediaServer.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  #post(avatarId: string): Promise<Response> {
    return this.#request('POST', '/v1/sessions', { avatar_id: avatarId });
  }

  #request(method: string, pathname: string, body?: object): Promise<Response> {
    return fetch(new URL(pathname, this.url), {
      method,
      headers: { 'x-api-key': this.#key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
}

async function read<Body>(answer: Response): Promise<Body> {
  if (answer.ok) return (await answer.json()) as Body;
  throw new Error(`${answer.url} answered ${answer.status} ${await answer.text()}`);
}
