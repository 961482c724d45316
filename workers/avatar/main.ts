// rtc-node writes each of its steps to standard output unless it is told, before it is loaded, that this is no test bench.
process.env['NODE_ENV'] ??= 'production';

const { BuiltInFaces } = await import('./built-in-faces.ts');
const { runWorker } = await import('./worker.ts');
await runWorker(await BuiltInFaces.open());
