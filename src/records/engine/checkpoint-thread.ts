/* Copies the log of the SQLite file into it whenever it is told. Passive: it waits for nobody, and nobody for it. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const database = new DatabaseSync(workerData as string);
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', () => checkpoint.get());
