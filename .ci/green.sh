# Skips the steps whose inputs are those of a recorded green run. Sourced by .ci/run after .ci/steps.sh and .ci/setup.sh.
#
#   read_options "$@"   the options that .ci/run explains. What is left is in ${names[@]}
# shellcheck shell=bash

names=()
forced=false
recording=false
planner="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/plan.ts"
declare -A key_of=() green_at=() spared=()

read_options() {
	local argument all=false only_changed=false
	if [[ "${1:-}" == --inputs ]]; then exec node "$planner" inputs "${2:?Name a step: .ci/run --inputs STEP}"; fi
	for argument in "$@"; do
		case "$argument" in
		--all) all=true ;;
		--changed) only_changed=true ;;
		--record) recording=true ;;
		--list) names+=("$argument") ;;
		*)
			# whoever names a step wants to see it run
			forced=true
			names+=("$argument")
			;;
		esac
	done
	[[ "$only_changed" == false ]] || forced=false
	[[ "$all" == false ]] || forced=true
}

look_at_sources() {
	local options=() running=() lines what name value
	[[ "$recording" == false ]] || node "$planner" clean
	[[ "$forced" == false ]] || options=(--all)
	lines="$(node "$planner" plan "${options[@]}" "${chosen[@]}")"
	while read -r what name value; do
		case "$what" in
		run)
			key_of[$name]="$value"
			running+=("$name")
			;;
		skip) green_at[$name]="$value" ;;
		spare) spared[$name]=true ;;
		esac
	done <<<"$lines"
	printf '%d of %d steps run: %s\n' "${#running[@]}" "${#chosen[@]}" "${running[*]}"
}

is_needed() { [[ -z "${spared[$1]:-}" ]]; }

why_skipped() {
	[[ -z "${green_at[$1]:-}" ]] || echo "its inputs are those of the run of ${green_at[$1]}"
}

mark_done() {
	[[ "$recording" == false ]] || node "$planner" passed "$1" "${key_of[$1]}" "${seconds_of[$1]}"
}

mark_failed() {
	[[ "$recording" == false ]] || node "$planner" failed "$1"
}
