import { isCommonWord, isPath, isStandIn, isStriking } from '../context/judge.ts';
import type { Rule } from './rule.ts';

const chosen = (v: string): boolean => !isStandIn(v) && !isCommonWord(v) && /[^a-z]/.test(v);

/** A user and a password side by side: in files, queries, calls and sentences. */
export const logins: readonly Rule[] = [
  {
    kind: 'db',
    anchors: ['identified '],
    pattern: /identified (?:with ["'`]?\w{1,40}["'`]? )?(?:by|as) (?:password )?(?:values )?["']([^"'\n]{4,256})["']/iy,
    check: chosen,
    hits: ["CREATE USER 'app'@'%' IDENTIFIED BY '{an12}';", "ALTER USER app IDENTIFIED WITH caching_sha2_password BY '{an12}'"],
    misses: ["IDENTIFIED BY 'password'", 'identified by "$PW"'],
  },
  {
    kind: 'db',
    anchors: [':5432:', '*:*:*:', ':*:*:'],
    pattern: /(?::5432:[^\s:]{1,64}:|\*:\*:\*:|:\*:\*:)[\w.@-]{1,64}:([^\s:]{6,128})(?=\s|$)/y,
    check: (v) => chosen(v) && /\d|[!#$%^&*@+~]/.test(v) && !/^[a-z]+\d?$/.test(v),
    hits: ['db1.corp.dev:5432:ledger:app:Q7{an12}', '*:*:*:app:Q7{an12}'],
    misses: ['10.0.0.1:5432:accepting:connections:now'],
  },
  {
    kind: 'db',
    anchors: [']:587 ', ']:465 ', ']:25 ', 'static:'],
    pattern: /(?:\]:(?:587|465|25)[ \t]{1,8}|static:)[\w.@+-]{1,80}:([^\s:"']{6,128})/y,
    check: isStriking,
    hits: ['[smtp.corp.dev]:587 ann@corp.dev:Q7{an12}'],
    misses: ['[::1]:587 ann:x'],
  },
  {
    kind: 'db',
    anchors: [' on >', ' nopass >'],
    pattern: / (?:on|nopass) >([^\s>]{6,128})(?= (?:~|\+@|&\*|on|-@|allkeys|allcommands))/y,
    check: (v) => chosen(v) && /\d/.test(v),
    hits: ['user default on >Q7{an12} ~* +@all'],
    misses: ['cat a >out2 ~/x'],
  },
  {
    kind: 'pw',
    anchors: [
      'auth=(',
      'auth = (',
      'basicauth(',
      'basic_auth(',
      'login(',
      '.auth(',
      'credential(',
      'credentials(',
      'authenticate(',
      'authentication(',
      'usernamepassword(',
    ],
    pattern:
      /(?:auth ?= ?|basic_?auth|login|\.auth|credentials?|authenticat(?:e|ion)|usernamepassword)\(["'`][^"'`\n]{1,80}["'`], ?["'`]([^"'`\s]{6,200})["'`]/iy,
    check: (v) => chosen(v) && /\d|[!#$%^&*@+~]/.test(v),
    hits: ['requests.get(u, auth=("ann", "Q7{an12}"))', "smtp.login('ann@corp.dev', 'Q7{an12}')"],
    misses: ['.auth("user", "password")', 'login(user, pw)'],
  },
  {
    kind: 'pw',
    anchors: ['getconnection(', 'mysqli_connect(', 'mysql_connect(', 'new pdo(', 'new mysqli('],
    pattern: /(?:getConnection|mysqli?_connect|new PDO|new mysqli)\([^,\n]{1,160}, ?["'][^"'\n]{1,64}["'], ?["']([^"'\s]{6,200})["']/iy,
    check: (v) => chosen(v) && /\d|[!#$%^&*@+~]/.test(v),
    hits: ['DriverManager.getConnection(url, "sa", "Q7{an12}")', 'mysqli_connect("db", "root", "Q7{an12}", "shop")'],
    misses: ['new PDO($dsn, $user, $password)', 'getConnection(url, "sa", "password")'],
  },
  {
    kind: 'cli',
    anchors: ['-asplaintext', 'securestring '],
    pattern: /securestring (?:-string )?["']([^"'\n]{6,200})["']/iy,
    check: chosen,
    hits: ['ConvertTo-SecureString "Q7{an12}" -AsPlainText -Force'],
    misses: ['ConvertTo-SecureString $pw -AsPlainText -Force'],
  },
  {
    kind: 'pw',
    anchors: [
      'log in ',
      'login',
      'logged in ',
      'sign in ',
      'credentials',
      'creds',
      'account',
      'wi-fi: ',
      'wifi: ',
      'zugangsdaten',
      'identifiants',
      'credenciales',
      'credenziali',
    ],
    pattern:
      /(?:log(?:ged)?[ -]?in|sign in|credentials?|creds|account|wi-?fi|zugangsdaten|identifiants|credenciales|credenziali)(?: details| info)?(?: for [^\n:]{1,40}?)?(?:[:：]| with| as| using| are| is){0,2}[ ]{0,2}["'`]{0,1}[\w.@+-]{2,64}["'`]?[ ]?(?:[/:|,，]|and|with)[ ]?["'`]?([^\s"'`,，。]{6,200})/iy,
    check: (v) => isStriking(v.replace(/[.)]+$/, '')) && !isPath(v),
    hits: ['log in with ann / Q7{an12}', 'credentials: ann:Q7{an12}', 'creds are ann/Q7{an12}'],
    misses: ['log in with SSO / OAuth2', 'credentials: see 1Password', 'login: ann, bob'],
  },
];
