import { BuiltInFaces } from './built-in-faces.ts';
import { runWorker } from './worker.ts';

runWorker(await BuiltInFaces.open());
