import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { TypedEvents } from '#shared/typed-events.ts';
import type { CallEventMap } from '../../../src/calls/call-events.ts';
import { countSpending } from '../../../src/http/metrics/call-metrics.ts';

test('what calls cost is counted by unit, and each budget that they use up', async () => {
  const registry = new Registry();
  const events = new TypedEvents<CallEventMap>(console.error);
  countSpending(registry, events);

  events.emit('call.charged', { modelTokens: 900, speechCharacters: 40, seconds: 3 });
  events.emit('call.charged', { modelTokens: 100, speechCharacters: 0, seconds: 0 });
  events.emit('budget.reached', { budget: 'link_day', unit: 'modelTokens' });

  const lines = (await registry.metrics()).split('\n');
  expect(lines).toContain('troupe_call_spending_total{unit="model_tokens"} 1000');
  expect(lines).toContain('troupe_call_spending_total{unit="seconds"} 3');
  expect(lines).toContain('troupe_budgets_reached_total{budget="link_day",unit="model_tokens"} 1');
  expect(lines).toContain('troupe_budgets_reached_total{budget="call",unit="seconds"} 0');
});
