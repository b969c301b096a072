# What .ci/run, .ci/nightly and .ci/bare share: programs and stores on a Debian machine, steps with their times, and the end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
reports=$(mktemp -d)
tools=$(mktemp -d)
export PATH=$tools/node_modules/.bin:$PATH
tiers=()

# Runs a step to its end, whether it succeeds or not, and keeps how long it took.
step() { # step <name> <command>...
  local began=$SECONDS
  printf '\n== %s\n' "$1"
  "${@:2}" || echo "$1" >>"$reports/failed"
  printf '%6d s  %s\n' "$((SECONDS - began))" "$1" >>"$reports/times"
}

install_programs() { # install_programs <command>:<package>[,<package>...]...
  local entry missing=()
  for entry in "$@"; do
    command -v "${entry%%:*}" >/dev/null 2>&1 || missing+=($(tr ',' ' ' <<<"${entry#*:}"))
  done
  [ "${#missing[@]}" -eq 0 ] && return
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

start_postgres() {
  if ! pg_isready -q -h 127.0.0.1; then
    pg_ctlcluster --skip-systemctl-redirect "$(ls /etc/postgresql | tail -n 1)" main start || true
    for _ in $(seq 60); do pg_isready -q -h 127.0.0.1 && break; sleep 1; done
  fi
  # Debian's own set-up asks for a password and knows neither our role nor our database.
  psql -w -h 127.0.0.1 -U root test -c 'select 1' >/dev/null 2>&1 && return
  local hba
  hba=$(runuser -u postgres -- psql -Atc 'show hba_file')
  sed -i '1i host all all 127.0.0.1/32 trust' "$hba"
  runuser -u postgres -- psql -qc 'select pg_reload_conf()' >/dev/null
  runuser -u postgres -- psql -qc 'create role root superuser login' 2>/dev/null || true
  runuser -u postgres -- createdb test 2>/dev/null || true
  psql -w -h 127.0.0.1 -U root test -c 'select 1' >/dev/null
}

# Debian's npm is too old for our lock file. It can install a newer one, and the Node.js that we pin.
install_npm() {
  [ "$(npm --version | cut -d. -f1)" -lt 11 ] || return 0
  local architecture
  architecture=$(dpkg --print-architecture | sed s/amd64/x64/)
  npm install --silent --prefix "$tools" npm@11 "node-linux-$architecture@$(sed -n 's/.*"version": "\(.*\)".*/\1/p' tools/node-runtime/package.json)"
  # The shell remembers where it found the old one.
  hash -r
}

prepare() { # prepare <command>:<package>[,<package>...]...
  step Programs install_programs git:git ps:procps npm:nodejs,npm "$@"
  step npm install_npm
  step PostgreSQL start_postgres
  step Packages npm ci --prefer-offline --no-audit --no-fund --loglevel=error
  [ ! -s "$reports/failed" ] || finish
}

test_tier() { # test_tier <tier> [<file>...]
  tiers+=("$1")
  npx vitest run --project "$1" --reporter=default --reporter=json --outputFile.json="$reports/$1.json" "${@:2}"
}

# Prints what failed, how long each step took and, on a line of its own, the counts; exits with 1 if anything failed.
finish() {
  local status=0
  printf '\n== Done in %d s\n' "$SECONDS"
  cat "$reports/times"
  node .ci/report.cjs "$reports" "${tiers[@]}" || status=$?
  rm -rf "$reports" "$tools"
  exit "$status"
}
