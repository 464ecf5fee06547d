/** What the shim must know of this machine. */
export interface ShimParts {
  /** path of the Node that runs relay */
  node: string;
  /** path of relay's program */
  relay: string;
  /** the variables in which agents' clients name their session */
  variables: { agent: string; variable: string }[];
  /** whether commits get a line in their message that names the session */
  trailer: boolean;
}

/**
 * What a worker must not inherit from a hook: `git rev-parse --local-env-vars` (the shim has no time to ask), and whose commit this is. With
 * GIT_INDEX_FILE a git that works on another repository would replace the user's index.
 */
const GIT_VARIABLES = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
  ...['AUTHOR', 'COMMITTER'].flatMap((who) => ['NAME', 'EMAIL', 'DATE'].map((what) => `GIT_${who}_${what}`)),
];

/** Seconds that a push waits for relay's own, and then for it to end. */
const PUSH_PATIENCE = 10;
const PUSH_GRACE = 2;

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The script that git's hooks read, for any POSIX shell: one file into the queue, in the format of hooks/queue.ts, then the worker. Built-in
 * commands only, since each process would cost more than all the rest; a commit must not take 5 ms longer.
 */
export const shimText = ({
  node,
  relay,
  variables,
  trailer,
}: ShimParts): string => `# Written by "relay hooks install", taken away by "relay hooks uninstall". A hook of git reads it in a subshell, with <event> and git's own arguments:
# it puts what happened into relay's queue and starts what works on that. It never fails, never waits (pre-push: ${PUSH_PATIENCE + PUSH_GRACE} s at most), and prints
# nothing but the lines that git gave to post-rewrite.
set +euC
node=${quoted(node)}
relay=${quoted(relay)}
trailer=${trailer ? 'yes' : ''}
event=$1
by=$2
common=\${GIT_DIR:-.git}
own=$common
[ ! -f "$own/commondir" ] || common=$own/../..
queue=$common/relay/queue
nl='
'
exec 3>&2 2>/dev/null

found() {
  [ -x "$node" ] || node=$(command -v node) || return 1
  [ -f "$relay" ] || relay=$(command -v relay)
}

# Which repository this is, is said: another one's .git may lie in the work tree. Other descriptors are closed too: whoever reads a pipe to its end must not wait for the worker. That leaves the terminal, where it can.
start() {
  unset ${GIT_VARIABLES.join(' ')}
  exec 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
  [ "$1" != --work ] || ! command -v setsid || exec setsid "$node" "$relay" hook "$@"
  exec "$node" "$relay" hook "$@"
}

if [ "$event" = pre-push ]; then
  found || exit 0
  (start --pre-push "$by" --git-dir "$own") </dev/null >/dev/null 2>&3 3>&- &
  pushing=$!
  (
    trap 'kill "$!"; exit' TERM
    sleep ${PUSH_PATIENCE} & wait "$!"
    kill "$pushing"
    sleep ${PUSH_GRACE} & wait "$!"
    kill -9 "$pushing"
  ) </dev/null >/dev/null 3>&- &
  timer=$!
  wait "$pushing"
  code=$?
  kill "$timer"
  [ "$code" -lt 128 ] || printf 'relay: sending the sessions took too long; what is not sent yet: relay status\\n' >&3
  exit 0
fi
exec 3>&-

# Calls a command with each client that names its session, and that session.
each() {
${variables.map(({ agent, variable }) => `  named "$1" ${agent} "$${variable}"`).join('\n')}
}
named() {
  case $3 in
    '' | *[!0-9A-Za-z._-]*) return ;;
  esac
  "$1" "$2" "$3"
}

# The hook may stand here for a teammate who wants trailers, hence the look at what this clone wants. An empty message stays empty and a template what
# it is, since git makes no commit of either. Where no editor opens, lines that look like comments are none. A last line without an end would take the
# trailer for its own second line.
sign() {
  [ -n "$(sed '/ -\\{24\\} >8 -\\{24\\}$/,$d' "$by" | git stripspace -s)" ] || return
  [ -z "$(tail -c 1 "$by")" ] || printf '\\n' >>"$by"
  line="Relay-Session: $1:$2"
  set --
  [ "$GIT_EDITOR" != : ] || set -- -c "core.commentChar=$(printf '\\001')"
  git "$@" interpret-trailers --in-place --no-divider --if-exists addIfDifferent --if-missing add --trailer "$line" "$by"
}
if [ "$event" = prepare-commit-msg ]; then
  [ -z "$trailer" ] || [ "$3" = template ] || each sign
  exit 0
fi

# The branch has just moved, so its ref is a file of its own, but for other kinds of ref storage.
read -r commit <"$own/HEAD"
case $commit in
  'ref: '*) read -r commit <"$common/\${commit#ref: }" ;;
esac
case $commit in
  '' | *[!0-9a-f]*) commit=$(git rev-parse HEAD) ;;
esac

# The event counts once its last byte is there, a NUL, and that is written only behind everything else. "command" keeps a shell going that cannot open the file.
# Without that folder relay was taken away, and its hooks forgotten.
[ -d "$common/relay" ] || exit 0
[ -d "$queue" ] || mkdir -p -m 700 "$queue"
whole=yes
exec 4>&-
command exec 4>"$queue/$event-$commit-$$" || whole=
text="event=$event$nl"
if [ "$event" = post-rewrite ]; then
  text="\${text}by=$by$nl"
  # As they come: a text that grows by a line would be copied with each of them, and a rebase may tell of thousands.
  while IFS= read -r line; do
    printf '%s\\n' "$line"
    [ -z "$whole" ] || printf 'rewritten=%s\\n' "$line" >&4 || whole=
  done
fi
exec >/dev/null
text="\${text}commit=$commit$nl"

clients=0
note() {
  text="\${text}session.$1=$2$nl"
  clients=$((clients + 1))
}
each note

# One client runs in the other: the nearest above is the one that commits.
if [ "$clients" -gt 1 ]; then
  above=
  process=$PPID
  while [ "\${process:-0}" -gt 1 ] && IFS= read -r stat <"/proc/$process/stat"; do
    name=\${stat#*(}
    name=\${name%)*}
    above="$above \${name%% *}"
    set -- \${stat##*)}
    process=$2
  done
  text="\${text}above=$above$nl"
fi

[ "$whole" ] && printf '%scwd=%s\\0' "$text" "$PWD" >&4 || exit 0
exec 4>&-

# The number may be another process's by now, or one of another container.
working() {
  [ -f "$queue/.worker" ] && read -r worker <"$queue/.worker" && kill -0 "$worker" || return 1
  [ -r "/proc/$worker/cmdline" ] || return 0
  IFS= read -r line <"/proc/$worker/cmdline"
  case $line in
    *hook*--work*) return 0 ;;
  esac
  return 1
}
if working || ! found; then exit 0; fi
(start --work --git-dir "$own") </dev/null &
printf '%s\\n' "$!" >"$queue/.worker"
exit 0
`;
