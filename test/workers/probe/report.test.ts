import { describe, expect, test } from 'vitest';
import type { ProbeResult } from '../../../workers/probe/probe.ts';
import { toJson, toLine, toMetrics } from '../../../workers/probe/report.ts';

const passed: ProbeResult = {
  sessionId: 's-1',
  steps: { created: 35, joined: 210, first_frame: 640, speech_heard: 1_210, ended: 80 },
  framesPerSecond: 24.9,
  failure: null,
};
const failed: ProbeResult = {
  sessionId: 's-1',
  steps: { created: 35, joined: 210, ended: 80 },
  framesPerSecond: null,
  failure: { step: 'first_frame', problem: 'No picture came.' },
};
const refused: ProbeResult = {
  sessionId: null,
  steps: {},
  framesPerSecond: null,
  failure: { step: 'created', problem: 'Invalid API key.' },
};

describe('the report of a probe', () => {
  test('is one line', () => {
    expect(toLine(passed)).toBe(
      'ok: created 35 ms, joined 210 ms, first frame 640 ms, speech heard 1210 ms, ended 80 ms, 24.9 fps, session s-1',
    );
    expect(toLine(failed)).toBe(
      'failed at first frame: No picture came. (created 35 ms, joined 210 ms, ended 80 ms, session s-1)',
    );
    expect(toLine(refused)).toBe('failed at created: Invalid API key.');
  });

  test('is JSON for programs', () => {
    expect(JSON.parse(toJson(failed))).toEqual({
      ok: false,
      session_id: 's-1',
      steps_ms: { created: 35, joined: 210, ended: 80 },
      frames_per_second: null,
      failed_step: 'first_frame',
      problem: 'No picture came.',
    });
    expect(JSON.parse(toJson(passed))).toMatchObject({ ok: true, problem: null });
  });

  test('is Prometheus text, in seconds', () => {
    const text = toMetrics(passed, 1_700_000_000_500);

    expect(text).toMatch(/^# HELP troupe_probe_success .+\n# TYPE troupe_probe_success gauge\n/);
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      'troupe_probe_success 1',
      'troupe_probe_run_timestamp_seconds 1700000000.5',
      'troupe_probe_step_duration_seconds{step="created"} 0.035',
      'troupe_probe_step_duration_seconds{step="joined"} 0.21',
      'troupe_probe_step_duration_seconds{step="first_frame"} 0.64',
      'troupe_probe_step_duration_seconds{step="speech_heard"} 1.21',
      'troupe_probe_step_duration_seconds{step="ended"} 0.08',
      'troupe_probe_step_failed{step="created"} 0',
      'troupe_probe_step_failed{step="joined"} 0',
      'troupe_probe_step_failed{step="first_frame"} 0',
      'troupe_probe_step_failed{step="speech_heard"} 0',
      'troupe_probe_step_failed{step="ended"} 0',
      'troupe_probe_frames_per_second 24.9',
      '',
    ]);
  });

  test('has no sample of what was not measured', () => {
    const text = toMetrics(refused, 0);

    expect(text).toContain('troupe_probe_success 0\n');
    expect(text).toContain('troupe_probe_step_failed{step="created"} 1\n');
    expect(text).not.toMatch(/step_duration|frames_per_second/);
  });
});
