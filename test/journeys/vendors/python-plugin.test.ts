import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { converseInPython } from '../../stage/vendors/python-conversation.ts';
import { isPythonPluginInstalled, PYTHON_PLUGINS } from '../../support/agents/python-agent.ts';
import type { RunningService } from '../../support/processes/service.ts';
import { shareService } from '../../support/processes/shared-service.ts';

let service: RunningService;
beforeAll(async () => {
  if (PYTHON_PLUGINS.some(isPythonPluginInstalled)) service = await shareService();
});
afterAll(() => service?.stop());

describe.each(PYTHON_PLUGINS)('$what', (plugin) => {
  // .ci/run makes the environments and fails without them; elsewhere Python is optional.
  test.skipIf(!isPythonPluginInstalled(plugin))(
    'gets an avatar that says what its agent says, and stops',
    async () => {
      const { wholeReport, cutReport } = await converseInPython(plugin, service);

      expect(wholeReport).toMatchObject({ position: expect.closeTo(3, 2), interrupted: false });
      expect(cutReport.interrupted).toBe(true);
      expect(cutReport.position).toBeGreaterThan(0);
    },
  );
});
