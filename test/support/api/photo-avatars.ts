import type { LightMyRequestResponse } from 'fastify';
import { blobPath } from '#protocol/worker/blob-path.ts';
import type { PictureProblem } from '#protocol/pictures/picture-problems.ts';
import { hashOf } from '../../../src/records/blobs.ts';
import { WORKER_TOKEN, type BuiltApp } from './build-app.ts';
import { formOf, pictureBytes } from './form.ts';
import type { SimulatedWorker } from '../simulated-worker.ts';

type Fields = Parameters<typeof formOf>[0];

export const file = (bytes: Buffer = pictureBytes(), type = 'image/jpeg'): Blob =>
  new Blob([new Uint8Array(bytes)], { type });

/** Required form fields. */
export const sound = (): Fields => ({ name: 'Ada', picture: file(), consent: 'She agrees.' });

/** Requests to `/v1/avatars`, and the building part of a worker. */
export class PhotoAvatars {
  readonly #service: BuiltApp;
  readonly #worker: SimulatedWorker;

  private constructor(service: BuiltApp, worker: SimulatedWorker) {
    this.#service = service;
    this.#worker = worker;
  }

  /** `worker`: a worker that builds; without it a new one joins. */
  static async open(service: BuiltApp, worker?: SimulatedWorker): Promise<PhotoAvatars> {
    const abilities = ['bundles', 'builds'];
    return new PhotoAvatars(service, worker ?? (await service.join({ abilities })));
  }

  async create(fields: Fields = sound(), headers: Record<string, string> = {}) {
    const form = await formOf(fields);
    return this.#service.call('POST', '/v1/avatars', {
      payload: form.payload,
      headers: { ...form.headers, ...headers },
    });
  }

  /** Returns the id of an avatar in progress, from a new picture. */
  async building(headers: Record<string, string> = {}): Promise<string> {
    const picture = file(pictureBytes(`pixels ${Math.random()}`));
    return (await this.create({ ...sound(), picture }, headers)).json<{ id: string }>().id;
  }

  /** Returns the id of a ready avatar. */
  async ready(headers: Record<string, string> = {}): Promise<string> {
    const id = await this.building(headers);
    await this.finish();
    return id;
  }

  /** The worker completes the build it was assigned. */
  async finish(): Promise<{ bundle: string; portrait: string }> {
    const { placement } = await this.#worker.next('build');
    const bundle = await this.put(Buffer.from(`the bundle of ${placement.avatarId}`));
    const portrait = await this.put(Buffer.from(`the portrait of ${placement.avatarId}`));
    await this.#worker.built(placement, bundle, portrait);
    return { bundle, portrait };
  }

  async fail(reason: PictureProblem): Promise<void> {
    const { placement } = await this.#worker.next('build');
    await this.#worker.buildFailed(placement, reason);
  }

  async put(bytes: Buffer): Promise<string> {
    const hash = hashOf(bytes);
    await this.blob('PUT', hash, bytes);
    return hash;
  }

  blob(method: 'GET' | 'PUT', hash: string, payload?: Buffer): Promise<LightMyRequestResponse> {
    return this.#service.app.server.inject({
      method,
      url: blobPath(hash),
      headers: {
        authorization: `Bearer ${WORKER_TOKEN}`,
        ...(payload && { 'content-type': 'application/octet-stream' }),
      },
      ...(payload && { payload }),
    });
  }
}
