import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLOSE } from '#protocol/worker/close-codes.ts';
import { startControlPlane, type ControlPlane } from '../support/fleet/control-plane.ts';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

const tokenOf = (name: string) => plane.workerTokens.make(name);

describe('admission', () => {
  test('asks every second for all tokens at once, and stays while nobody answers', async () => {
    const questions: string[][] = [];
    const isAway = () => questions.length === 1;
    plane.workerTokens.revokedAmong = async (ids) => {
      questions.push(ids);
      if (isAway()) throw new Error('the database is away');
      return ids;
    };
    const [firstToken, secondToken] = [await tokenOf('rack 7'), await tokenOf('rack 8')];
    const joining = [firstToken, firstToken, secondToken].map(({ text }) =>
      plane.worker({ token: text }).join(),
    );
    const connections = await Promise.all(joining);

    await plane.clock.pass(1_000);
    expect(questions).toEqual([[firstToken.id, secondToken.id]]);
    expect(connections.every(({ isConnected }) => isConnected)).toBe(true);
    await plane.clock.pass(1_000);

    const codes = await Promise.all(connections.map((worker) => worker.closed()));
    expect(new Set(codes)).toEqual(new Set([CLOSE.token_revoked.code]));
    expect(questions).toHaveLength(2);
  });
});
