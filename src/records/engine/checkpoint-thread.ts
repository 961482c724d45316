/*
 * Runs a passive checkpoint of the SQLite file for each message. Passive ones neither block nor
 * wait.
 */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const database = new DatabaseSync(workerData as string);
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', () => checkpoint.get());
