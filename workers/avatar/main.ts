import { BuiltInFaces } from './built-in-faces.ts';
import { runWorker } from './worker.ts';

await runWorker(await BuiltInFaces.open());
