{{- define "auth.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "auth.tag" -}}
{{- $tag := .Values.image.tag | default .Chart.AppVersion -}}
{{- if eq $tag "latest" -}}{{- fail "image.tag is latest. Use a version: the migration job is named after it, and a rollback needs it" -}}{{- end -}}
{{- $tag -}}
{{- end -}}

{{- define "auth.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ include "auth.tag" . }}
{{- end -}}
{{- end -}}

{{- define "auth.labels" -}}
app: {{ include "auth.name" . }}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ include "auth.tag" . | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "auth.selector" -}}
app: {{ include "auth.name" . }}
component: server
{{- end -}}

{{/* The variables, the same for server and migration. */}}
{{- define "auth.config" -}}
{{- range $name, $value := .Values.config }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
PORT: {{ .Values.ports.http | toString | quote }}
METRICS_PORT: {{ .Values.ports.metrics | toString | quote }}
METRICS_HOST: 0.0.0.0
{{- end -}}

{{- define "auth.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "auth.containerSecurity" -}}
runAsNonRoot: true
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end -}}
