import { expect } from 'vitest';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../api/admin.ts';
import { buildApp, NORA, roomToken, type BuiltApp } from '../api/build-app.ts';
import { newPlace, type Place } from '../records/database.ts';
import { until } from '../until.ts';

export const OUTSIDE_KEY = 'key-of-the-outside-service';
export const ROOM = 'wss://media.their.example';
export const OVERFLOW_PATH = '/v1/fleet/overflow';
/** Nothing listens there. */
export const NOWHERE = 'http://127.0.0.1:9';
/** A minute costs a tenth; a session at most one. */
export const LIMITS = {
  price_per_minute: 0.1,
  ceiling: 2,
  period: 'day',
  max_sessions: 5,
  max_minutes: 10,
};

type Placed = { id: string; assigned: Assign };

const open = (place: Place) =>
  buildApp({ slots: 0, place, env: { TROUPE_ADMIN_PASSWORD, SLOT_WAIT_MS: '0' } });

/** A service without workers, and one with a simulated worker, over HTTP. The owner closes it. */
export class OverflowStage {
  readonly outside: BuiltApp;
  readonly place: Place;
  readonly #operator: Record<string, string>;
  home: BuiltApp;
  #rooms = 0;

  static async open(): Promise<OverflowStage> {
    const place = await newPlace();
    const env = { TROUPE_API_KEY: OUTSIDE_KEY, SLOT_WAIT_MS: '0' };
    const [outside, home] = await Promise.all([buildApp({ agentSlots: 0, env }), open(place)]);
    const operator = await makeAccount(home, 'free', 'operator');
    return new OverflowStage(outside, home, place, operator.headers);
  }

  private constructor(
    outside: BuiltApp,
    home: BuiltApp,
    place: Place,
    operator: Record<string, string>,
  ) {
    this.outside = outside;
    this.home = home;
    this.place = place;
    this.#operator = operator;
  }

  /** Starts the closed service again, on the same records. Its clock begins anew. */
  async reopen(): Promise<void> {
    this.home = await open(this.place);
  }

  async close(): Promise<void> {
    await this.home.close();
    await this.outside.close();
    await this.place.remove();
  }

  get operator(): Record<string, string> {
    return this.#operator;
  }

  get worker() {
    return this.outside.workers[0]!;
  }

  asOperator(method: 'GET' | 'PUT' | 'DELETE', path = OVERFLOW_PATH, payload?: object) {
    return this.home.call(method, path, { headers: this.#operator, ...(payload && { payload }) });
  }

  set(fields: object = {}) {
    const payload = { url: this.outside.url, api_key: OUTSIDE_KEY, ...LIMITS, ...fields };
    return this.asOperator('PUT', OVERFLOW_PATH, payload);
  }

  async overflow() {
    return (await this.asOperator('GET')).json().data[0];
  }

  /** Sessions at the outside service, as they are shown here. */
  async mirrored() {
    return (await this.asOperator('GET', `${OVERFLOW_PATH}/sessions`)).json().data;
  }

  async create(fields: object = {}) {
    this.#rooms += 1;
    const token = await roomToken({ roomJoin: true, room: `room ${this.#rooms}` });
    const payload = { avatar_id: NORA, url: ROOM, token, ...fields };
    return this.home.call('POST', '/v1/sessions', { payload });
  }

  async read(id: string) {
    return (await this.home.call('GET', `/v1/sessions/${id}`)).json();
  }

  async readOutside(id: string) {
    const headers = { 'x-api-key': OUTSIDE_KEY };
    return (await this.outside.call('GET', `/v1/sessions/${id}`, { headers })).json();
  }

  /** Time passes here until it is so. */
  comesTrue(isTrue: () => unknown): Promise<void> {
    return until(async () => {
      this.home.clock.advance(50);
      return isTrue();
    });
  }

  /** All sessions there are closed. */
  allClosed(): Promise<void> {
    return this.comesTrue(async () =>
      (await this.mirrored()).every(({ state }: { state: string }) => state === 'closed'),
    );
  }

  endsHere(id: string, reason: EndReason): Promise<void> {
    return this.comesTrue(async () => (await this.read(id)).end_reason === reason);
  }

  /** Creates a session, which the outside worker is assigned. */
  async placeOutside(fields: object = {}): Promise<Placed> {
    const reply = await this.create(fields);
    expect(reply.statusCode).toBe(201);
    return { id: reply.json().id, assigned: await this.worker.next('assign') };
  }

  async begin(): Promise<Placed> {
    const placed = await this.placeOutside();
    await this.worker.started(placed.assigned.placement);
    await this.comesTrue(async () => (await this.read(placed.id)).status.type === 'ongoing');
    return placed;
  }

  endThere({ placement }: Assign, reason: EndReason): Promise<void> {
    return this.worker.ended(placement, reason);
  }

  /** The API refuses another address while sessions are open. */
  async repoint(url: string): Promise<void> {
    const database = this.place.open();
    await database.updateTable('overflows').set({ url }).execute();
    await database.destroy();
    this.home.clock.advance(2_000);
    await this.comesTrue(async () => (await this.overflow()).url === url);
  }
}
