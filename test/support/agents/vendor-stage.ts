import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AgentDispatchClient } from 'livekit-server-sdk';
import { roomToken } from '../../stage/room-token.ts';
import { AgentProcess } from '../processes/agent-process.ts';
import type { Face } from './vendor-faces.ts';
import { mediaServerEnv, roomsOf } from '../processes/media-server.ts';
import type { RunningService } from '../processes/service.ts';

/*
 * .ci/run makes the environments from test/clients/vendors, in the folder that
 * TROUPE_PYTHON_CLIENTS names, and by `npm ci` in test/clients/vendors/node: too slow for every
 * `npm test`.
 */
const folder = fileURLToPath(new URL('../../clients/vendors', import.meta.url));
const environments = process.env['TROUPE_PYTHON_CLIENTS'];
const python = `${environments}/1.8.9/bin/python`;
const earlier = `${environments}/vendors-earlier`;

export const isPythonThere =
  environments !== undefined && existsSync(python) && existsSync(earlier);
export const isNodeThere = existsSync(`${folder}/node/node_modules/@livekit/agents`);

/** Release sets of the plugins. */
export type Age = 'current' | 'earlier';

export const roomOf = ({ vendor, how }: Face, age: Age = 'current') =>
  `${vendor}-${how}-${age}`.replaceAll(/[ ,]+/g, '-');

/** Agents with published plugins at the service's vendor adapters. Close it before the service. */
export class VendorStage {
  readonly #service: RunningService;
  readonly #agents: AgentProcess[] = [];

  constructor(service: RunningService) {
    this.#service = service;
  }

  /** The name by which the media server dispatches it. */
  async startPython(name: string, faces: readonly Face[], age: Age): Promise<AgentProcess> {
    const rooms = faces.map((face) => [
      roomOf(face, age),
      { line: this.#lineOf(face), isVariant: face.isVariant ?? false },
    ]);
    const agent = new AgentProcess(python, ['agent.py'], {
      cwd: folder,
      env: {
        ...mediaServerEnv(this.#service.mediaServer),
        AGENT_NAME: name,
        FACES: JSON.stringify(Object.fromEntries(rooms)),
        ...(age === 'earlier' && { PYTHONPATH: earlier }),
      },
    });
    this.#agents.push(agent);
    await agent.logs(/registered worker/);
    return agent;
  }

  async startNode(face: Face): Promise<AgentProcess> {
    const agent = new AgentProcess(process.execPath, ['agent.mjs'], {
      cwd: `${folder}/node`,
      env: {
        ...mediaServerEnv(this.#service.mediaServer),
        FACE: this.#lineOf(face),
        AGENT_TOKEN: await this.token(roomOf(face), 'agent', 'agent'),
      },
    });
    this.#agents.push(agent);
    return agent;
  }

  /** Creates a room and dispatches the agent of this name to it. */
  async dispatch(agentName: string, room: string): Promise<void> {
    const { url, apiKey, apiSecret } = this.#service.mediaServer;
    await this.#rooms.createRoom({ name: room });
    const dispatches = new AgentDispatchClient(url.replace('ws', 'http'), apiKey, apiSecret);
    await dispatches.createDispatch(room, agentName);
  }

  /** An agent that has printed `connected` may request its avatar. */
  async begin(room: string): Promise<void> {
    await this.#tell(room, 'begin');
  }

  /** Lets the agent speak once its viewer receives the sound. */
  async letSpeak(room: string): Promise<void> {
    await this.#tell(room, 'listening');
  }

  /** Lets the agent interrupt the tone that its viewer hears. */
  async letInterrupt(room: string): Promise<void> {
    await this.#tell(room, 'speaking');
  }

  /** Lets the agent leave the room once everything was heard. */
  async dismiss(room: string): Promise<void> {
    await this.#tell(room, 'heard');
  }

  token(room: string, identity: string, kind?: 'agent'): Promise<string> {
    return roomToken(this.#service.mediaServer, room, identity, kind && { kind });
  }

  async close(): Promise<void> {
    for (const agent of this.#agents) await agent.stop();
  }

  async #tell(room: string, metadata: string): Promise<void> {
    await this.#rooms.updateRoomMetadata(room, metadata);
  }

  get #rooms() {
    return roomsOf(this.#service.mediaServer);
  }

  #lineOf({ vendor, line }: Face): string {
    const { address, apiKey } = this.#service;
    return line
      .replace('{address}', new URL(`/compat/${vendor}`, address).href)
      .replace('YOUR_KEY', apiKey);
  }
}
