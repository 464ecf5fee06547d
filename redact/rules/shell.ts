import { isCommonWord, isPath, isStandIn, isStriking } from '../context/judge.ts';
import type { Rule } from './rule.ts';

/** One argument, quoted or not. */
const ARG = `(?:["']|(?!-))([^\\s"'|;<>]{4,200})`;
const REST = '[^\\n|;]{0,240}?';
const argument = (v: string): boolean => /[A-Za-z]/.test(v) && !isStandIn(v) && !isCommonWord(v) && !isPath(v) && !v.startsWith('$');
const after = (source: string): RegExp => new RegExp(source + ARG, 'iy');

/** Options and arguments of programs that take a password or token: [how the command begins, what stands before it, a sample, a miss]. */
const COMMANDS: readonly (readonly [anchors: readonly string[], before: string, hit: string, miss: string])[] = [
  [['mysql', 'mariadb'], `(?:mysql|mariadb)[\\w-]{0,16} (?:${REST}\\s)?-p(?=\\S)`, "mysqldump -uroot -p'{an14}' shop", 'mysql -u root -p shop'],
  [['login '], `login ${REST}\\s-p[ =]`, 'docker login -u ci -p {an20} reg.corp.dev', 'docker login -u ci -p $PW reg'],
  [['login '], `login (?:${REST}\\s)?--(?:password|token|apikey)[ =]`, 'oc login https://x --token {an24}', 'oc login --token $T'],
  [['mongo'], `mongo(?:sh|dump|restore|export|import|stat|top)? ${REST}\\s-p[ =]`, 'mongosh -u app -p {an16} db', 'mongo --host db -p "$PW"'],
  [
    ['cqlsh ', 'twine upload', 'rdesktop ', 'smbmap ', 'crackmapexec ', 'netexec ', 'evil-winrm ', 'hydra ', 'useradd ', 'usermod '],
    `(?:cqlsh|twine upload|rdesktop|smbmap|crackmapexec|netexec|evil-winrm|hydra|useradd|usermod) (?:${REST}\\s)?-p[ =]?`,
    'cqlsh -u app -p {an16} db',
    'cqlsh -u app',
  ],
  [['sqlcmd ', 'bcp ', 'osql '], `(?:sqlcmd|bcp|osql) ${REST}\\s-P ?`, "sqlcmd -S db -U sa -P '{an16}'", 'sqlcmd -S db -E'],
  [['zip -', 'unzip -'], `(?:un)?zip (?:${REST}\\s)?-P ?`, 'unzip -P {an12} a.zip', 'zip -r a.zip b'],
  [['7z a', '7z x', '7z u', '7za ', '7zr '], `7z[ar]? ${REST}\\s-p`, '7z a -p{an12} a.7z a', '7z x a.7z'],
  [['ldap'], `ldap(?:search|add|modify|delete|passwd|whoami|compare) ${REST}\\s-[ws] ?`, 'ldapsearch -x -w {an12} -b dc=x', 'ldapsearch -x -W -b dc=x'],
  [['redis-cli'], `redis-cli (?:${REST}\\s)?(?:-a|auth|--pass)[ =]`, 'redis-cli -h cache -a {an16} ping', 'redis-cli -h cache ping'],
  [['openssl '], `openssl ${REST}\\s-(?:pass|passin|passout|password) pass:`, 'openssl rsa -passin pass:{an12} -in k', 'openssl rsa -passin env:PW'],
  [['openssl enc', 'openssl aes', 'openssl des'], `openssl ${REST}\\s-k `, 'openssl enc -aes-256-cbc -k {an12}', 'openssl enc -aes-256-cbc -in a'],
  [['ssh-keygen'], `ssh-keygen ${REST}\\s-[NP] `, "ssh-keygen -t ed25519 -N '{an12}'", "ssh-keygen -t ed25519 -N ''"],
  [['net use ', 'net user '], `net (?:use \\S{1,3} \\S{1,80}|user \\S{1,64}) `, 'net user ann {an12} /add', 'net user ann /delete'],
  [
    ['smbclient', 'rpcclient', 'winexe'],
    `(?:smbclient|rpcclient|winexe) ${REST}-U ?["']?[^\\s%"']{1,64}%`,
    'smbclient //srv/x -U ann%{an12}',
    'smbclient //srv/x -U ann',
  ],
  [['freerdp'], `freerdp ${REST}/p:`, 'xfreerdp /u:ann /p:{an12} /v:srv', 'xfreerdp /u:ann /v:srv'],
  [['rabbitmqctl'], `rabbitmqctl (?:add_user|change_password) \\S{1,64} `, 'rabbitmqctl add_user app {an12}', 'rabbitmqctl list_users'],
  [
    ['snmp'],
    `snmp(?:walk|get|set|bulkwalk|bulkget|trap) ${REST}-c ?(?!public|private)`,
    'snmpwalk -v2c -c {an10} 10.0.0.1',
    'snmpwalk -v2c -c public 10.0.0.1',
  ],
  [['cargo login ', 'snyk auth ', 'vault login '], `(?:cargo login|snyk auth|vault login) `, 'vault login {an24}', 'vault login -method=oidc'],
  [['doctl '], `doctl ${REST}\\s-t `, 'doctl auth init -t {hex64}', 'doctl auth list'],
  [
    ['nuget push', 'gem push'],
    `push ${REST}(?:-k|--key|-ApiKey) `.replace('push', '(?:nuget|gem) push'),
    'dotnet nuget push a.nupkg -k {an40}',
    'gem push a.gem',
  ],
  [
    ['keyvault secret set', 'ssm put-parameter'],
    `(?:keyvault secret set|ssm put-parameter) ${REST}--value[ =]`,
    "az keyvault secret set --name db --value '{an14}'",
    'aws ssm put-parameter --name x',
  ],
  [['--secret-string'], `--secret-string[ =]`, "aws secretsmanager create-secret --name db --secret-string '{an14}'", '--secret-string file://x.json'],
  [['secret set '], `secret set ${REST}(?:-b|--body)[ =]?`, 'gh secret set X --body {an14}', 'gh secret set X < x'],
  [['az '], `az ${REST}\\s-p `, 'az sql server create -u a -p {an16}', 'az group create -n x'],
  [
    ['config set', ' config pypi-token', ' config --', ' config user.'],
    ` ?config (?:(?:set|--\\w+) )*[\\w./:-]{0,60}(?:token|password|passwd|secret)[\\w./:-]{0,40} `,
    'poetry config pypi-token.pypi {an30}',
    'git config token.cache required',
  ],
  [['http-basic.'], `http-basic\\.\\S{1,100} \\S{1,64} `, 'composer config http-basic.repo.corp.dev ci {an20}', 'composer config http-basic.repo ci'],
  [['htpasswd '], `htpasswd -\\w{0,4}b\\w{0,4} \\S{1,100} \\S{1,64} `, 'htpasswd -b .htpasswd ann {an12}', 'htpasswd .htpasswd ann'],
  [['sshpass -p'], `sshpass -p ?`, "sshpass -p '{an14}' ssh ops@10.0.0.4", 'sshpass -p $PW ssh x'],
  [['encrypt_string'], `encrypt_string (?:${REST}\\s)?`, "ansible-vault encrypt_string '{an14}' --name x", 'ansible-vault encrypt_string --stdin'],
  [['sonar.login=', 'sshpass='], `(?:sonar\\.login|sshpass)=`, 'SSHPASS={an14} sshpass -e ssh x', 'SSHPASS=$PW sshpass -e'],
];

/** Programs that read a secret from their input. */
const READERS = '(?:--password-stdin|chpasswd|sudo -\\w{0,3}S|--with-token|secret (?:set|put)|passwd|stdin|base64|auth login|env add|vault login)';
const CURL_USER = `(?:curl [^\\n|;]{0,200}?-u|-u |--(?:proxy-)?user[ =]|http [^\\n|;]{0,80}?-a |--auth[ =])["']?[^\\s:"'/]{1,64}:([^\\s"':][^\\s"']{4,200})`;

/** Passwords and tokens on command lines. */
export const shell: readonly Rule[] = [
  ...COMMANDS.map(([anchors, before, hit, miss]): Rule => ({ kind: 'cli', anchors, pattern: after(before), check: argument, hits: [hit], misses: [miss] })),
  {
    kind: 'cli',
    anchors: ['curl ', '-u ', '--user ', '--user=', '--proxy-user', 'http ', '--auth ', '--auth='],
    pattern: new RegExp(CURL_USER, 'y'),
    check: (v) => /[A-Za-z]/.test(v) && !isStandIn(v) && !isCommonWord(v),
    hits: ['curl -u ci:{an20} https://x.dev', 'curl -sS --user ci:{an20} https://x.dev', 'curl -uci:{an20} https://x.dev'],
    misses: ['docker run -u 1000:1000 x', 'curl -u user:$PASS https://x.dev', 'perldoc -u Some::Modulename'],
  },
  {
    kind: 'cli',
    anchors: ['-b ', '--cookie '],
    pattern: /-(?:b|-cookie) ["']?[\w.-]{1,64}=([^;\s"']{16,4096})/y,
    check: isStriking,
    hits: ['curl -b "session={hex32}" https://x.dev'],
    misses: ['git checkout -b topic=a'],
  },
  {
    kind: 'cli',
    anchors: ['echo ', 'printf '],
    pattern: new RegExp(
      `(?:echo|printf)(?: -[ne]{1,2})?(?: ["']?%s(?:\\\\n)?["']?)? ["']?(?:[\\w.-]{1,32}:(?=[^\\n|]{0,80}chpasswd))?([^\\s"'|<>]{5,400})(?=["']? ?\\| ?[^\\n|]{0,80}?${READERS})`,
      'y',
    ),
    check: (v) => argument(v) && !/^[A-Za-z]+$/.test(v),
    hits: ["echo '{an14}' | docker login -u ci --password-stdin", 'echo "ann:{an14}" | chpasswd'],
    misses: ['echo "$TOKEN" | docker login --password-stdin', 'echo hello | tee stdin'],
  },
  {
    kind: 'cli',
    anchors: ['auth '],
    pattern: /(?<=(?:^|[\n>]) ?)AUTH (?:\S{1,64} )?["']?([^\s"']{6,200})/iy,
    check: isStriking,
    hits: ['127.0.0.1:6379> auth default Q7{an16}'],
    misses: ['> auth required pam_unix.so nullok'],
  },
  {
    kind: 'cli',
    anchors: ['echo ', 'printf '],
    pattern: /(?:echo|printf)(?: -[ne]{1,2})? ["']?([^\s"'|<>]{6,400})["']? ?>>? ?(?=[^\s;|&]{0,120}(?:pass|secret|token|key|cred|auth|\.env))/iy,
    check: (v) => argument(v) && !/^[A-Za-z]+$/.test(v) && !/^\w+=/.test(v),
    hits: ['echo "Q7{an16}" > /run/secrets/db_password'],
    misses: ['echo "$PW" > secrets/pw', 'echo done > token.log'],
  },
  {
    kind: 'cli',
    anchors: ['--auth '],
    pattern: /--auth ["']?([^\s"']{16,400})/y,
    check: isStriking,
    hits: ['netlify deploy --auth Q7{an38}'],
    misses: ['deploy --auth required-by-default'],
  },
  {
    kind: 'cli',
    anchors: ['<<<'],
    pattern: /<<< ?["']?([^\s"'<>|;]{8,400})/y,
    check: isStriking,
    hits: ['gh auth login --with-token <<< Q7{an30}'],
    misses: ['read -r a b <<< "$line"', 'grep x <<< hello'],
  },
];
