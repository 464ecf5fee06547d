/** What programs write and people paste: logs, traces, diffs, prompts of a shell, code. */
const MACHINE = [
  // dates and times at the beginning of a line, levels of a log
  /^\s*[[(]?(?:\d{4}[-/])?\d\d[-/]\d\d[T ]+\d\d:\d\d/,
  /^\s*[[(]?\d\d:\d\d:\d\d(?:[.,]\d+)?[\])]?\s/,
  /^\s*(?:\w{3} ){0,2}\w{3}\s+\d{1,2} \d\d:\d\d:\d\d\b/,
  /^\s*\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|NOTICE)\b[\]:\s]/,
  /^\s*(?:npm|yarn|pnpm)? ?(?:ERR!|WARN )/,
  // errors and traces
  /^\s*(?:[A-Za-z_$][\w.$]*\.)?[A-Z]\w*(?:Error|Exception|Warning|Panic)\b(?:\s*\[[^\]]*\])?\s*(?::|$)/,
  /^\s*(?:Caused by|Traceback \(most recent|Unhandled|Uncaught|panic:|thread '.*' panicked|error\[E\d+\]|fatal:|error:|warning:|ERROR in)/,
  /^\s+at \S+.*[(:]\d+/,
  /^\s+File ".*", line \d+/,
  /^\s*\S+\.\w{1,5}[:(]\d+[:,)]\s?\d*/,
  /^\s*#\d+\s+0x[0-9a-f]+/,
  // diffs
  /^(?:diff --git |index [0-9a-f]{7}|--- [ab]\/|\+\+\+ [ab]\/|@@ -\d)/,
  // a shell and what answers in it
  /^\s*(?:\w+@[\w.-]+[:~ ].*)?[$❯➜]\s+\S/,
  /^(?:PASS|FAIL|ok|not ok)\s+\S+\.\w+|^\s*(?:✓|✗|✘|×|✔|●)\s/,
  // code: ends, braces, assignments, tags
  /[;{}]\s*$/,
  /^\s*(?:const|let|var|import|export|function|class|def|return|public|private|static|package|using|#include|fn|impl|struct|func|async|await|if \(|for \(|while \(|else|try|catch|SELECT|INSERT|UPDATE|CREATE|ALTER)\b.*[(){}=;:<>]/,
  /^\s*<\/?[a-zA-Z][\w:-]*(?:\s[^<>]*)?>\s*$/,
  /^\s*["']?[\w.-]+["']?\s*:\s*(?:["'[{].*|-?\d[\d.]*|true|false|null),?\s*$/,
];
/** Nobody types so much without a space. In UTF-16 units. */
const UNBROKEN = 400;

/** True for a line that a program wrote. What a person says in between is never taken for one because of its words alone. */
export function isMachineLine(line: string): boolean {
  const head = line.slice(0, 600);
  return MACHINE.some((shape) => shape.test(head)) || (line.length > UNBROKEN && !/\s/.test(head.slice(0, UNBROKEN)) && !/[\u3400-\u9fff]/.test(head));
}

/** Lines at the head of a mail or of what someone wrote in a chat. */
export const isHeaderLine = (line: string): boolean =>
  /^\s*(?:From|To|Cc|Sent|Date|Subject|发件人|收件人|抄送|发送时间|日期|主题)\s*[:：]\s*\S/.test(line) ||
  /^\s*(?:On .{6,80} wrote:|-{2,} ?(?:Original|Forwarded) message ?-{2,}|在 .{4,80}写道[:：]|-+ ?原始邮件 ?-+)\s*$/i.test(line);
