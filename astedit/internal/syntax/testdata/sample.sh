#!/usr/bin/env bash
# Builds a release and says what it did.
set -euo pipefail

readonly ROOT="${1:-$(pwd)}"
declare -a files=(one.txt "two words.txt" 'three')
export PATH="$HOME/bin:$PATH" LANG=C

log() {
  local level=$1; shift
  printf '%s [%s] %s\n' "$(date +%F)" "$level" "$*" >&2
}

function build {
  for f in "${files[@]}"; do
    if [[ -f $f && ! -L "$f" ]]; then
      cp -- "$f" "$ROOT/${f##*/}" || return 1
    elif [ -d "$f" ]; then
      log warn "skipping directory $f"
    else
      log error "no file ${f}" | tee -a errors.log
    fi
  done
  while read -r line; do
    echo "$line"
  done < <(grep -v '^#' list.txt)
}

case "$ROOT" in
  /tmp/*) log info "temporary" ;;
  "$HOME"|/root) log info 'home'; exit 0 ;;
  *) : ;;
esac

cat <<END
root is $ROOT and
there are ${#files[@]} files
END
cat <<'RAW'
nothing $here is expanded
RAW
(( count = 1 + 2 * 3 ))
total=$(( count << 2 ))
[ "$total" -gt 3 ] && echo `basename "$0"` $'tab\there'
build > out.log 2>&1 &
wait; unset files
