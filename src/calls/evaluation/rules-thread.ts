/* Evaluates calls by rules, in a worker thread. */
import { parentPort } from 'node:worker_threads';
import { evaluateByRules } from './evaluation.ts';

parentPort?.on('message', (userTexts: string[]) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  parentPort?.postMessage(evaluateByRules(userTexts));
});
