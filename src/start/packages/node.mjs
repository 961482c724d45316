/*
 * Finds the Node that runs Troupe. Like bootstrap.mjs, it needs no packages, and its syntax is that
 * of Node 14.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { install } from './install.mjs';

export const NEEDED_NODE = 24;
/**
 * Its packages hold one Node for each platform. A machine with a new Node needs none of their 200
 * MB.
 */
const NODE_PACKAGES = 'src/start/packages/node';

/** Node 24 as a package, else the running Node if it is new enough, else null. */
export function findNode(folder, running = process) {
  const binary = running.platform === 'win32' ? 'node.exe' : 'node';
  // The first one is there in development.
  for (const place of [folder, path.join(folder, NODE_PACKAGES)]) {
    const packaged = path.join(place, 'node_modules', packageFor(running), 'bin', binary);
    if (existsSync(packaged)) return packaged;
  }
  return Number.parseInt(running.versions.node, 10) >= NEEDED_NODE ? running.execPath : null;
}

/** The running `npm ci`, or null if npm has no Node for this platform. */
export function installNode(folder, running = process) {
  const place = path.join(folder, NODE_PACKAGES);
  const description = new URL('./node/package.json', import.meta.url);
  const { optionalDependencies } = JSON.parse(readFileSync(description, 'utf8'));
  if (!optionalDependencies[packageFor(running)]) return null;
  const reason = `this is Node ${running.versions.node}`;
  const what = `Node ${NEEDED_NODE}`;
  // Standard output belongs to the command that Node will run.
  return install(place, reason, { what, withDev: false, say: console.error });
}

function packageFor({ platform, arch }) {
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}
