/* Limits the SDK that sees and hears in the tests' own process: the machine is small. */
import { quietEngine } from '../../workers/runtime/quiet-engine.ts';

quietEngine();
