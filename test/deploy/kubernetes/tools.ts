/*
 * The programs that check the chart, pinned in tools/go.mod and requirements.txt. They are built or
 * installed at their first use and kept in `~/.cache/troupe/deploy`, in folders named by those
 * files.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { command } from '../command.ts';

const PACKAGES = {
  helm: 'helm.sh/helm/v4/cmd/helm',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform',
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
} as const;

const CACHE = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'troupe/deploy',
);
const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');
const MODULE = path.join(import.meta.dirname, 'tools');

/** Charts and clients ask the API server for it. */
const [, version] =
  /k8s\.io\/kubernetes (v\S+)/.exec(readFileSync(path.join(MODULE, 'go.mod'), 'utf8')) ?? [];
const KUBERNETES_VERSION = `-X k8s.io/component-base/version.gitVersion=${version}`;

/** Path of a program, which Go builds at its first use: the API server takes some minutes. */
export async function goProgram(name: keyof typeof PACKAGES): Promise<string> {
  const file = path.join(cached('kubernetes', path.join(MODULE, 'go.sum')), name);
  if (existsSync(file)) return file;
  await mkdir(path.dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  await command(
    'go',
    ['build', '-trimpath', `-ldflags=-s -w ${KUBERNETES_VERSION}`, '-o', partial, PACKAGES[name]],
    {
      cwd: MODULE,
      env: { ...process.env, CGO_ENABLED: '0' },
    },
  );
  await rename(partial, file);
  return file;
}

/** The folder of a Python environment with checkov and the schemas of Kubernetes. */
export async function pythonTools(): Promise<string> {
  const folder = cached('checkov', REQUIREMENTS);
  const finished = path.join(folder, 'finished');
  if (existsSync(finished)) return folder;
  await rm(folder, { recursive: true, force: true });
  await command('python3', ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--require-hashes', '--quiet'];
  await command(path.join(folder, 'bin/python3'), [...pip, '-r', REQUIREMENTS]);
  await mkdir(finished);
  return folder;
}

/**
 * The folder of a Go module, which is not built. Go checks it against the public checksum database.
 */
export async function goModule(module: string): Promise<string> {
  const text = await command('go', ['mod', 'download', '-json', module]);
  return (JSON.parse(text) as { Dir: string }).Dir;
}

/** Schemas of all kinds of Kubernetes, without unknown fields. */
export async function schemaFolder(): Promise<string> {
  const folder = globSync(
    'lib/python*/site-packages/kubernetes_validate/kubernetes-json-schema/v*-local-strict',
    { cwd: await pythonTools() },
  )
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);
  if (folder === undefined) throw new Error('kubernetes-validate holds no schemas');
  return path.join(await pythonTools(), folder);
}

const cached = (name: string, pins: string): string =>
  path.join(
    CACHE,
    `${name}-${createHash('sha256').update(readFileSync(pins)).digest('hex').slice(0, 12)}`,
  );
