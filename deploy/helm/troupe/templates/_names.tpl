{{- define "troupe.name" -}}
{{- if contains "troupe" .Release.Name }}{{ .Release.Name | trunc 30 | trimSuffix "-" }}
{{- else }}{{ printf "%s-troupe" .Release.Name | trunc 30 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Labels that never change. `component` names the part. */}}
{{- define "troupe.selector" -}}
app.kubernetes.io/name: troupe
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- with .pool }}
troupe/pool: {{ . }}
{{- end }}
{{- end }}

{{- define "troupe.labels" -}}
{{ include "troupe.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "troupe.image" -}}
{{- $image := index .root.Values.images .image }}
{{- $name := print .root.Values.images.registry $image.repository }}
{{- if $image.digest }}{{ $name }}@{{ $image.digest }}
{{- else }}{{ $name }}:{{ default .root.Chart.AppVersion .root.Values.images.tag }}{{ end }}
{{- end }}

{{- define "troupe.controlUrl" -}}
http://{{ include "troupe.name" . }}-control:8080
{{- end }}

{{- define "troupe.publicUrl" -}}
{{- if .Values.publicUrl }}{{ .Values.publicUrl }}
{{- else if .Values.ingress.enabled }}https://{{ first .Values.ingress.hosts }}{{ end }}
{{- end }}
