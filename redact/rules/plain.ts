import { entropy, isSampleToken } from '../context/judge.ts';
import { isRandom } from './family.ts';
import type { Rule } from './rule.ts';

/** Small letters, capitals and digits in disorder: no hash, no identifier. */
const isMixed = (value: string): boolean => /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && isRandom(value) && !isSampleToken(value);
const isHex = (value: string): boolean => /^[0-9a-f]{32,}$/.test(value) && /\d/.test(value) && /[a-f]/.test(value) && entropy(value) > 3;

/** Tokens of services that are not known here, told by what their mark says: `acme_live_…`, `acme_sk_…`, `secret_…`. */
export const plain: readonly Rule[] = [
  {
    kind: 'svc',
    anchors: ['live', 'prod', 'test', 'sandbox', 'staging'].flatMap((stage) => [`_${stage}_`, `-${stage}-`, `_${stage}-`]),
    pattern: /(?<!\bpk)[_-](?:live|prod|test|sandbox|staging)[_-]([A-Za-z0-9]{20,200})(?![A-Za-z0-9_-])/y,
    check: (v) => isMixed(v) || isHex(v),
    hits: ['acme_live_{an32}', 'acme-prod-{hex40}'],
    misses: ['acme_live_{an9}', 'pk_live_{an24}', 'run_test_authenticationTokenProviderFactory', 'run_test_0000000000000000000000000000'],
  },
  {
    kind: 'svc',
    anchors: [
      '_sk_',
      '-sk-',
      '_pat_',
      '-pat-',
      '_secret_',
      '_token_',
      '_apikey_',
      '_api_key_',
      '_api_',
      '_key_',
      '_tkn_',
      '_sat_',
      '_at_',
      '_rt_',
      '_personal_',
      '_oauth_',
      '_admin_',
      '_auth_',
    ],
    pattern: /[_-](?:sk|pat|secret|token|api_?key|api|key|tkn|sat|at|rt|personal|oauth|admin|auth)[_-]([A-Za-z0-9]{20,200})(?![A-Za-z0-9_-])/y,
    check: isMixed,
    hits: ['acme_sk_{an32}', 'acme_api_{an40}', 'acme_pat_{an24}'],
    misses: ['acme_key_{hex40}', 'the_key_getElementsByTagNameAndClass2Name'],
  },
  {
    kind: 'svc',
    anchors: ['sk_', 'pat_', 'secret_', 'apikey_', 'api_key_', 'apikey-', 'token_', 'key_', 'api_', 'secret-', 'token-', 'tkn_', 'api-'],
    pattern: /(?:sk|pat|secret|token|api[_-]?key|api|key|tkn)[_-]([A-Za-z0-9]{24,200})(?![A-Za-z0-9_-])/y,
    notAfter: /[A-Z0-9_-]/,
    check: isMixed,
    hits: ['sk_{an32}', 'key_{an40}', 'apikey_{an24}', 'acmepat_{an40}'],
    misses: ['key_{hex40}', 'api_getElementsByTagNameAndClass2Name'],
  },
  {
    kind: 'svc',
    anchors: [],
    pattern: /[0-9a-f]{32}\.[A-Za-z0-9]{16,24}(?![A-Za-z0-9.])/y,
    check: (v) => isHex(v.slice(0, 32)) && isRandom(v.slice(33)),
    hits: ['{hex32}.{an16}'],
    misses: ['{hex32}.{an4}', '{hex32}.stylesheetofpage'],
  },
  {
    kind: 'svc',
    anchors: [],
    pattern: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9a-f]{32}(?![0-9a-f])/y,
    hits: ['{hex8}-{hex4}-{hex4}-{hex4}-{hex12}:{hex32}'],
    misses: ['{hex8}-{hex4}-{hex4}-{hex4}-{hex12}:{hex9}'],
  },
];
