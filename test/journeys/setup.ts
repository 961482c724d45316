/* Limits the SDK that sees and hears in the tests' own process: the machine is small. */
import { startMediaEngine } from '../../workers/runtime/media-engine.ts';

startMediaEngine();
