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
{{ $name }}: {{ if kindIs "string" $value }}{{ $value | quote }}{{ else }}{{ $value | toJson | quote }}{{ end }}
{{- end }}
PORT: {{ .Values.ports.http | toString | quote }}
METRICS_PORT: {{ .Values.ports.metrics | toString | quote }}
METRICS_HOST: 0.0.0.0
{{- end -}}

{{/* Where variables come from, besides the ConfigMap. */}}
{{- define "auth.env" -}}
{{- range .Values.secretFiles }}
- { name: {{ . }}_FILE, value: {{ printf "/run/secrets/auth/%s" . | quote }} }
{{- end }}
{{- if or .Values.trustedCA.secret .Values.trustedCA.configMap }}
- { name: NODE_EXTRA_CA_CERTS, value: {{ printf "/etc/auth/ca/%s" .Values.trustedCA.key | quote }} }
{{- end }}
{{- if .Values.auditClaim }}
- name: POD_NAME
  valueFrom: { fieldRef: { fieldPath: metadata.name } }
- { name: AUDIT_FILE, value: /var/lib/auth/audit/$(POD_NAME).ndjson }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "auth.envFromSecret" -}}
{{- if not .Values.secretFiles }}
- secretRef: { name: {{ .Values.existingSecret }} }
{{- end }}
{{- end -}}

{{- define "auth.volumes" -}}
{{- if .Values.secretFiles }}
- name: secrets
  secret: { secretName: {{ .Values.existingSecret }}, defaultMode: 0440 }
{{- end }}
{{- with .Values.trustedCA }}
{{- if and .secret .configMap }}{{ fail "trustedCA.secret and trustedCA.configMap are both set. Keep one of them" }}{{ end }}
{{- if .secret }}
- name: ca
  secret: { secretName: {{ .secret }} }
{{- else if .configMap }}
- name: ca
  configMap: { name: {{ .configMap }} }
{{- end }}
{{- end }}
{{- if .Values.auditClaim }}
- name: audit
  persistentVolumeClaim: { claimName: {{ .Values.auditClaim }} }
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "auth.mounts" -}}
{{- if .Values.secretFiles }}
- { name: secrets, mountPath: /run/secrets/auth, readOnly: true }
{{- end }}
{{- if or .Values.trustedCA.secret .Values.trustedCA.configMap }}
- { name: ca, mountPath: /etc/auth/ca, readOnly: true }
{{- end }}
{{- if .Values.auditClaim }}
- { name: audit, mountPath: /var/lib/auth/audit }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Changes whenever the secret does, and tells nothing about it. Empty where the chart is only rendered. */}}
{{- define "auth.secretVersion" -}}
{{- $secret := lookup "v1" "Secret" .Release.Namespace .Values.existingSecret -}}
{{- if $secret -}}{{ $secret.metadata.resourceVersion }}{{- end -}}
{{- end -}}

{{/* A pod that runs one command. */}}
{{- define "auth.commandPod" -}}
restartPolicy: Never
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "auth.podSecurity" .root | nindent 2 }}
containers:
  - name: migrate
    image: {{ include "auth.image" .root | quote }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    args: {{ .args | toJson }}
    env:
      {{- range $name, $value := include "auth.config" .root | fromYaml }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
      {{- include "auth.env" .root | nindent 6 }}
    {{- with include "auth.envFromSecret" .root }}
    envFrom:
      {{- . | nindent 6 }}
    {{- end }}
    {{- with include "auth.mounts" .root }}
    volumeMounts:
      {{- . | nindent 6 }}
    {{- end }}
    resources:
      {{- toYaml .root.Values.resources | nindent 6 }}
    securityContext:
      {{- include "auth.containerSecurity" .root | nindent 6 }}
{{- with include "auth.volumes" .root }}
volumes:
  {{- . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "auth.jobSuffix" -}}
{{- include "auth.tag" . | replace "." "-" | lower | trunc 15 | trimSuffix "-" -}}
{{- end -}}

{{- define "auth.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "auth.containerSecurity" -}}
runAsNonRoot: true
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end -}}
