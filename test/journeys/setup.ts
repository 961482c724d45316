/* For what sees and hears by the SDK in the tests' own process: the machine is small enough. */
import { quietEngine } from '../../workers/link/quiet-engine.ts';

quietEngine();
