import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Values of the chart that the tests render and install. */
const REQUIRED = { livekit: { url: 'wss://media.example.com' } };

/** Everything that the chart has. */
const everything = {
  ...REQUIRED,
  images: {
    registry: 'registry.example.com/',
    pullSecrets: ['registry'],
    control: { digest: `sha256:${'1'.repeat(64)}` },
    avatar: { digest: `sha256:${'2'.repeat(64)}` },
    agent: { digest: `sha256:${'3'.repeat(64)}` },
  },
  secrets: { from: { DATABASE_URL: { name: 'troupe-db-app', key: 'uri' } } },
  privateCa: { secretName: 'database-ca' },
  control: {
    settings: { TRUSTED_PROXIES: '10.0.0.0/8', WARM_SLOTS: 4, PLACEMENT: 'pack' },
    autoscaling: {
      metrics: [
        {
          type: 'External',
          external: {
            metric: { name: 'requests_per_second' },
            target: { type: 'AverageValue', averageValue: '100' },
          },
        },
      ],
    },
    priorityClassName: 'system-cluster-critical',
  },
  workers: {
    avatar: {
      drainSeconds: 600,
      pools: {
        large: {
          slots: 16,
          nodeSelector: { pool: 'large' },
          tolerations: [{ key: 'large', operator: 'Exists', effect: 'NoSchedule' }],
          affinity: { podAntiAffinity: {} },
          podAnnotations: { 'example.com/note': 'large' },
          evictable: true,
          maxUnavailable: 1,
          settings: { BUNDLE_CACHE_MIB: 512 },
        },
      },
    },
  },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600' },
    hosts: ['avatars.example.com', 'chat.example.com'],
    tlsSecretName: 'avatars-tls',
  },
  networkPolicy: {
    from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
    egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.169.254/32'] } }] }],
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
  backup: { enabled: true, storageClassName: 'standard' },
  probe: { enabled: true, pushUrl: 'http://pushgateway:9091/metrics/job/troupe-probe' },
};

/** Nothing that needs KEDA, RBAC or a hook. */
const little = {
  ...REQUIRED,
  control: { autoscaling: { enabled: false } },
  workers: {
    autoscaling: { enabled: false },
    deletionCost: { enabled: false },
    agent: { enabled: false },
  },
  networkPolicy: { enabled: false },
  migrations: { enabled: false },
};

/** Those that the documentation shows. */
const [, documented = ''] =
  /```yaml\n([^]*?)```/.exec(readFileSync('deploy/helm/README.md', 'utf8')) ?? [];

export const VALUE_SETS = { usual: REQUIRED, documented: parse(documented), everything, little };
