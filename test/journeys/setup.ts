/* For what sees and hears by the SDK in the tests' own process: the machine is small enough. */
import { quietEngine } from '../../workers/runtime/quiet-engine.ts';

quietEngine();
