import { describe, expect, test } from 'vitest';
import { loadWorkerConfig } from '../../../workers/avatar/config.ts';

const lowest = (quality: string) =>
  loadWorkerConfig({ WORKER_TOKEN: 'token', LOWEST_QUALITY: quality }, 2).LOWEST_QUALITY;

describe('worker configuration', () => {
  test('offers four slots per core unless set', () => {
    const byItself = loadWorkerConfig({ WORKER_TOKEN: 'token' }, 2);
    const config = loadWorkerConfig({ WORKER_TOKEN: 'token', WORKER_SLOTS: '3' }, 2);

    expect(byItself.WORKER_SLOTS).toBe(8);
    expect(config.WORKER_SLOTS).toBe(3);
  });

  test('uses the default pool unless set', () => {
    const config = loadWorkerConfig({ WORKER_TOKEN: 'token', WORKER_POOL: 'gpu' }, 2);

    expect(loadWorkerConfig({ WORKER_TOKEN: 'token' }, 2).WORKER_POOL).toBe('default');
    expect(config.WORKER_POOL).toBe('gpu');
  });

  test('treats an empty variable as unset', () => {
    const config = loadWorkerConfig({ WORKER_TOKEN: 'token', CONTROL_URL: '' }, 2);

    expect(config.CONTROL_URL).toBe('http://127.0.0.1:8080');
  });

  test('lets the quality fall to a still picture unless set', () => {
    expect(lowest('')).toBe('still_picture');
    expect(lowest('full')).toBe('full');
    expect(() => lowest('half')).toThrow('LOWEST_QUALITY');
  });

  test('names every invalid variable', () => {
    const wrong = { WORKER_SLOTS: 'many', DRAIN_SECONDS: '-1' };

    expect(() => loadWorkerConfig(wrong, 2)).toThrow(
      /WORKER_SLOTS.*DRAIN_SECONDS|DRAIN_SECONDS.*WORKER_SLOTS/,
    );
    expect(() => loadWorkerConfig(wrong, 2)).toThrow(/WORKER_TOKEN/);
  });
});
