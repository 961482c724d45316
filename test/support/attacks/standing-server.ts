/* Answers `/healthz`, and stands still for as much processor time as its parent says. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let status = 200;
const server = createServer((_request, response) => response.writeHead(status).end());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

process.on('message', (order: number | 'break') => {
  if (order === 'break') status = 500;
  else {
    const startUsage = process.cpuUsage();
    while (busyMs(startUsage) < order);
  }
  process.send?.('done');
});

function busyMs(startUsage: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(startUsage);
  return (user + system) / 1_000;
}
