{{/*
A list of all pools as YAML: kind, component, image, pool, name, and `part`, the values of its kind with its own over them.
*/}}
{{- define "troupe.pools" -}}
{{- $root := . }}
{{- range $kind := list "avatar" "agent" }}
{{- $all := index $root.Values.workers $kind }}
{{- if ne (toString $all.enabled) "false" }}
{{- range $pool, $own := $all.pools }}
{{- $part := mergeOverwrite (deepCopy (omit $all "pools" "enabled")) (deepCopy (default dict $own)) }}
- kind: {{ $kind }}
  component: {{ $kind }}-worker
  image: {{ $kind }}
  pool: {{ $pool | quote }}
  name: {{ include "troupe.name" $root }}-{{ $kind }}-{{ $pool }}
  part: {{- toYaml $part | nindent 4 }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
