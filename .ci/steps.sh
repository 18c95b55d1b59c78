# Steps with names: announced, timed, and chosen on the command line. Sourced by .ci/run and .ci/nightly.
#
#   setup NAME COMMAND…   always runs, first and in this shell, so it may change PATH
#   step NAME COMMAND…    runs after everything above it
#   also NAME COMMAND…    joins the step above it: $parallel of such a group run at a time, in the order of the script.
#                         Output is printed when a step is done, and the end of a failed one again before the summary
#   run_steps "$@"        the last line: runs the named steps, or all of them
#
# After a failure, running steps finish and no other step starts.
#
# After sourcing this file a script may set keep_going=true (a failure does not stop the steps behind it) and replace
# the functions below, for steps and set-ups that need not run.
# shellcheck shell=bash

set -euo pipefail
# a question nobody answers would hang the run; at end of file it fails instead
exec </dev/null

keep_going=false
parallel=2
# prints why a step need not run, and nothing if it has to
why_skipped() { :; }
# whether a set-up is needed
is_needed() { true; }
mark_done() { :; }
mark_failed() { :; }

setup_names=()
step_names=()
groups=0
declare -A command_of=() group_of=() outcome_of=() seconds_of=() cpu_of=() started_at=() name_of_pid=()
chosen=()
current=""
failed=()
logs=""

setup() {
	setup_names+=("$1")
	command_of["$1"]="$(printf '%q ' "${@:2}")"
}

step() {
	groups=$((groups + 1))
	also "$@"
}

also() {
	[[ "$1" =~ ^[a-z0-9]+(-[a-z0-9]+)*$ ]] || { echo "\"$1\" is not a name of a step: use a-z, 0-9 and -" >&2; exit 2; }
	[[ -z "${command_of[$1]:-}" ]] || { echo "there are two steps with the name $1" >&2; exit 2; }
	step_names+=("$1")
	group_of["$1"]=$groups
	command_of["$1"]="$(printf '%q ' "${@:2}")"
}

run_steps() {
	choose "$@"
	logs="$(mktemp --directory)"
	trap report EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	local name group reason
	for name in "${setup_names[@]}"; do
		if is_needed "$name"; then run_setup "$name"; else outcome_of[$name]="not needed"; fi
	done
	for ((group = 1; group <= groups; group++)); do
		local members=()
		for name in "${chosen[@]}"; do
			[[ "${group_of[$name]}" == "$group" ]] || continue
			reason="$(why_skipped "$name")"
			if [[ -z "$reason" ]]; then
				members+=("$name")
			else
				outcome_of[$name]="skipped"
				printf '\n==> %s: skipped: %s\n' "$name" "$reason"
			fi
		done
		run_group "${members[@]}"
		if ((${#failed[@]} > 0)) && [[ "$keep_going" == false ]]; then exit 1; fi
	done
	((${#failed[@]} == 0)) || exit 1
}

# reads the command line; everything is checked before anything runs
choose() {
	local argument unknown=()
	local -A asked=()
	for argument in "$@"; do
		case "$argument" in
		--list)
			printf '%s\n' "${step_names[@]}"
			exit 0
			;;
		*)
			if [[ -n "${group_of[$argument]:-}" ]]; then asked["$argument"]=true; else unknown+=("$argument"); fi
			;;
		esac
	done
	if ((${#unknown[@]} > 0)); then
		echo "There is no step ${unknown[*]}. Use --list, or names of these: ${step_names[*]}" >&2
		exit 2
	fi
	local name
	# in the order of the script, whatever the order on the command line
	for name in "${step_names[@]}"; do
		[[ $# -gt 0 && -z "${asked[$name]:-}" ]] || chosen+=("$name")
	done
}

run_setup() {
	current="$1"
	started_at[$1]=$SECONDS
	printf '\n==> %s\n' "$1"
	# not `if eval …`: bash would ignore failures inside of functions
	eval "${command_of[$1]}"
	finish "$1" 0
	current=""
}

run_group() {
	if (($# == 1)); then
		printf '\n==> %s\n' "$1"
		start "$1"
		finish_next
	elif (($# > 1)); then
		printf '\n==> at the same time: %s\n' "$*"
		local name
		for name in "$@"; do
			((${#name_of_pid[@]} < parallel)) || finish_next
			if ((${#failed[@]} > 0)) && [[ "$keep_going" == false ]]; then break; fi
			printf '==> %s: started, output so far in %s\n' "$name" "$logs/$name"
			start "$name" "$logs/$name"
		done
		while ((${#name_of_pid[@]} > 0)); do finish_next; done
	fi
}

# start NAME [LOG]
start() {
	started_at[$1]=$SECONDS
	# a process group of its own, so that an interrupted run leaves nothing behind
	set -m
	if [[ -n "${2:-}" ]]; then run_timed "$1" >"$2" 2>&1 & else run_timed "$1" & fi
	name_of_pid[$!]="$1"
	set +m
}

# not `time`: its report would mix with what the step prints
run_timed() (
	# a trap has no arguments once the function is left
	times_file="$logs/$1.times"
	trap 'times >"$times_file"' EXIT
	eval "${command_of[$1]}"
)

finish_next() {
	local pid status=0 name
	wait -n -p pid "${!name_of_pid[@]}" || status=$?
	name="${name_of_pid[$pid]}"
	unset "name_of_pid[$pid]"
	if [[ -f "$logs/$name" ]]; then
		printf '\n==> %s\n' "$name"
		cat "$logs/$name"
	fi
	finish "$name" "$status"
}

# finish NAME STATUS
finish() {
	seconds_of[$1]=$((SECONDS - ${started_at[$1]}))
	cpu_of[$1]="$(cpu_seconds "$1")"
	if (($2 == 0)); then
		outcome_of[$1]="passed"
		[[ -z "${group_of[$1]:-}" ]] || mark_done "$1"
		printf '==> %s: passed in %d s\n' "$1" "${seconds_of[$1]}"
	else
		outcome_of[$1]="FAILED"
		failed+=("$1")
		[[ -z "${group_of[$1]:-}" ]] || mark_failed "$1"
		printf '==> %s: FAILED with status %d after %d s\n' "$1" "$2" "${seconds_of[$1]}" >&2
	fi
}

# CPU time of a step and of the processes it waited for; servers that outlive their parents do not count
cpu_seconds() {
	[[ -s "$logs/$1.times" ]] || return 0
	awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += t[1] * 60 + t[2] } printf "%d s of CPU", sum }' "$logs/$1.times"
}

# asks a process group to end, and insists after ten seconds
end_group() {
	kill -TERM -- "-$1" 2>/dev/null || return 0
	for _ in {1..100}; do
		kill -0 -- "-$1" 2>/dev/null || return 0
		sleep 0.1
	done
	kill -KILL -- "-$1" 2>/dev/null || true
}

report() {
	local status=$? pid name
	trap - EXIT
	# whoever interrupts may do so twice (timeout does), and the summary still has to come
	trap '' INT TERM
	for pid in "${!name_of_pid[@]}"; do
		end_group "$pid"
		name="${name_of_pid[$pid]}"
		outcome_of[$name]="interrupted"
		seconds_of[$name]=$((SECONDS - ${started_at[$name]}))
	done
	if [[ -n "$current" ]]; then finish "$current" "$status"; fi
	# steps that run at the same time bury it: a log that is cut to its end still says what failed
	for name in "${failed[@]}"; do
		[[ -f "$logs/$name" ]] || continue
		printf '\n==> %s FAILED, and ended with\n' "$name"
		tail -n 60 "$logs/$name"
	done
	printf '\n==> summary\n'
	for name in "${setup_names[@]}" "${chosen[@]}"; do
		printf '    %-28s %-12s %6s%s\n' "$name" "${outcome_of[$name]:-not run}" "${seconds_of[$name]:+${seconds_of[$name]} s}" "${cpu_of[$name]:+  ${cpu_of[$name]}}"
	done
	rm -rf "$logs"
	if ((status == 0)); then
		printf '\n==> everything passed in %d s\n' "$SECONDS"
	else
		printf '\n==> FAILED after %d s: %s\n' "$SECONDS" "${failed[*]:-interrupted}" >&2
	fi
	exit "$status"
}
