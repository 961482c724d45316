import type { LightMyRequestResponse } from 'fastify';
import { blobPath } from '#protocol/blob-path.ts';
import type { PictureProblem } from '#protocol/picture-problems.ts';
import { hashOf } from '../../../src/records/blobs.ts';
import { WORKER_TOKEN, type BuiltApp } from './build-app.ts';
import { formOf, pictureBytes } from './form.ts';
import type { SimulatedWorker } from '../simulated-worker.ts';

type Fields = Parameters<typeof formOf>[0];

export const file = (bytes: Buffer = pictureBytes(), type = 'image/jpeg'): Blob =>
  new Blob([new Uint8Array(bytes)], { type });

/** What a form must hold. */
export const sound = (): Fields => ({ name: 'Ada', picture: file(), consent: 'She agrees.' });

/** What tests ask of `/v1/avatars`, and the part of a worker that builds. */
export class PhotoAvatars {
  readonly #service: BuiltApp;
  readonly #worker: SimulatedWorker;

  private constructor(service: BuiltApp, worker: SimulatedWorker) {
    this.#service = service;
    this.#worker = worker;
  }

  /** `worker`: one that builds; else one joins. */
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

  /** The id of one that is being built; its picture is one of its own. */
  async building(headers: Record<string, string> = {}): Promise<string> {
    const picture = file(pictureBytes(`pixels ${Math.random()}`));
    return (await this.create({ ...sound(), picture }, headers)).json<{ id: string }>().id;
  }

  /** The id of one that is ready. */
  async ready(headers: Record<string, string> = {}): Promise<string> {
    const id = await this.building(headers);
    await this.finish();
    return id;
  }

  /** The worker makes something of the picture that it was given. */
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
