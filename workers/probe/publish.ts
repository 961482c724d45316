/* Publishes metrics to a file for the node exporter's textfile collector, or to a Pushgateway. */
import { rename, writeFile } from 'node:fs/promises';

const PUSH_WITHIN_MS = 10_000;

/** Replaces the file as a whole: the collector must not read half of it. */
export async function writeMetrics(file: string, text: string): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  await writeFile(part, text);
  await rename(part, file);
}

/** `url` names the group: `http://pushgateway:9091/metrics/job/troupe-probe`. */
export async function pushMetrics(url: string, text: string): Promise<void> {
  const reply = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain; version=0.0.4' },
    body: text,
    signal: AbortSignal.timeout(PUSH_WITHIN_MS),
  });
  if (!reply.ok) throw new Error(`it answered ${reply.status}`);
}
