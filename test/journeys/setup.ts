import { showLogsOfFailures } from '../support/processes/failed-journey.ts';
import { startMediaEngine } from '../../workers/runtime/media-engine.ts';

// Limits the SDK that sees and hears in the tests' own process: the machine is small.
startMediaEngine();
showLogsOfFailures();
