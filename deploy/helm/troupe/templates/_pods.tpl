{{/* What every pod has: no rights, no token, nothing of other services in its environment. */}}
{{- define "troupe.podBasics" -}}
automountServiceAccountToken: false
# Otherwise a Service `livekit` would set LIVEKIT_PORT.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.images.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "troupe.containerBasics" -}}
image: {{ include "troupe.image" . }}
imagePullPolicy: {{ .root.Values.images.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* DATA_DIR and /tmp are all that a container may write to. */}}
{{- define "troupe.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- if .Values.privateCa.secretName }}
- { name: ca, mountPath: /etc/troupe-ca, readOnly: true }
{{- end }}
{{- end }}

{{- define "troupe.volumes" -}}
- name: data
  emptyDir: { sizeLimit: 2Gi }
- name: tmp
  emptyDir: { sizeLimit: 1Gi }
{{- with .Values.privateCa }}
{{- if .secretName }}
- name: ca
  secret:
    secretName: {{ .secretName }}
    items: [{ key: {{ .key }}, path: ca.crt }]
{{- end }}
{{- end }}
{{- end }}

{{- define "troupe.commonEnv" -}}
- { name: DATA_DIR, value: /data }
{{- if .Values.privateCa.secretName }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/troupe-ca/ca.crt }
{{- end }}
{{- end }}

{{/* Settings from Secrets. `names` are required, `optional` ones may be missing. */}}
{{- define "troupe.secretEnv" -}}
{{- $secrets := .root.Values.secrets }}
{{- range concat .names (default list .optional) }}
{{- $from := default (dict "name" $secrets.name "key" .) (get $secrets.from .) }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $from.name }}
      key: {{ $from.key }}
      {{- if has . (default list $.optional) }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}

{{- define "troupe.operatorKeyEnv" -}}
- name: OPERATOR_KEY
  valueFrom:
    secretKeyRef: { name: {{ .name }}, key: {{ .key }} }
{{- end }}

{{- define "troupe.settings" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ toString $value | quote }} }
{{- end }}
{{- end }}

{{/* Where pods run. `part` holds the values of the part. */}}
{{- define "troupe.scheduling" -}}
{{- with .part.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .part.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .part.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .part.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
{{- if .part.topologySpreadConstraints }}
  {{- toYaml .part.topologySpreadConstraints | nindent 2 }}
{{- else }}
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    # Each version by itself: draining pods of the old one do not count.
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels: {{- include "troupe.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}
{{- end }}
