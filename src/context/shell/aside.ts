/** What looks for something, or only shows it: that it finds nothing is no error, and what it shows no result of its own. */
export const LOOKING =
  /^(?:grep|egrep|fgrep|rg|ag|ack|find|fd|ls|test|\[|\[\[|which|type|command|cat|head|tail|sed|nl|wc|diff|cmp|stat|file|pgrep|ps|lsof|cd|echo|printf|pwd|sleep|true|jq|awk|sort|xargs|read)$/;

/** What handles files, packages, history and processes: its figures tell nothing of how the project does. */
const HANDLING =
  /^(?:less|more|tree|bat|column|uniq|cut|tr|tee|mv|cp|rm|rmdir|mkdir|mktemp|touch|chmod|chown|ln|tar|zip|unzip|gzip|gunzip|xz|base64|md5sum|sha256sum|shasum|dd|df|du|free|uname|date|env|export|set|unset|source|\.|alias|eval|trap|wait|kill|pkill|killall|exit|return|false|pushd|popd|git|npm|pnpm|yarn|bun|pip3?|pipx|conda|gem|bundle|brew|apt|apt-get|dnf|yum|apk|curl|http|wget|scp|rsync|vi|vim|nano|code|open|history|man|whoami|hostname|id|nproc|lscpu|sw_vers|apply_patch|go|cargo|gofmt|rustc|rustup|nvm|pyenv|crontab|systemctl|service|journalctl|dmesg|top|htop|watch)$/;

/** Verbs by which tools of many commands only show something: `kubectl get`. */
const SHOWING =
  /^(?:get|describe|show|list|ls|inspect|status|config|version|info|logs?|help|login|cat|images?|ps|init|pull|push|up|down|start|stop|restart|install)$/;
/** The verb stands among the first words that are no options. */
const VERBS = 4;

/** Whether a tool may have results of its own to tell, though nobody knows it. */
export const mayTell = (tool: string, args: readonly string[]): boolean =>
  /^[\w.+-]+$/.test(tool) &&
  !LOOKING.test(tool) &&
  !HANDLING.test(tool) &&
  !args
    .filter((word) => !word.startsWith('-'))
    .slice(0, VERBS)
    .some((word) => SHOWING.test(word));
