# For scripts that need more than Rust: `. needs.sh`, then `need COMMAND PACKAGE`.
#
# As root on Debian a missing package is installed. What cannot be had ends the script with a word and
# success, because it is not the code's fault; where CI is set, nobody would read the word, so there
# only a machine without Debian's packages is excused.

can_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

# Ends the script: without WHAT nothing can be tested.
without() {
    echo "$1 cannot be had: what needs it was not tested."
    if [ -n "${CI:-}" ] && can_install; then exit 1; fi
    exit 0
}

# need COMMAND PACKAGE
need() {
    command -v "$1" >/dev/null && return
    if can_install; then
        apt-get install -y --no-install-recommends "$2" >/dev/null 2>&1 ||
            { apt-get update >/dev/null 2>&1 && apt-get install -y --no-install-recommends "$2" >/dev/null 2>&1; } || true
    fi
    command -v "$1" >/dev/null || without "$1"
}
