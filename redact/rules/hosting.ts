import type { Rule } from './rule.ts';

/** Source hosting and package registries. */
export const hosting: readonly Rule[] = [
  {
    kind: 'gh',
    anchors: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /gh[pousr]_[A-Za-z0-9_]{30,255}/y,
    hits: ['ghp_{an36}', 'ghs_{an36}'],
    misses: ['ghp_{an12}', 'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
  },
  { kind: 'gh', anchors: ['github_pat_'], pattern: /github_pat_[A-Za-z0-9_]{22,255}/y, hits: ['github_pat_{an22}_{an59}'], misses: ['github_pat_{an8}'] },
  {
    kind: 'gl',
    anchors: ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'glsoat-', 'glffct-', 'glagent-', 'gloas-', 'glft-', 'glimt-'],
    pattern: /gl(?:[a-z]{2,5}|agent)-[A-Za-z0-9_.-]{16,300}/y,
    hits: ['glpat-{an20}', 'glagent-{an50}'],
    misses: ['glpat-{an8}'],
  },
  { kind: 'bb', anchors: ['atbb'], pattern: /ATBB[A-Za-z0-9]{24,40}(?![A-Za-z0-9])/y, hits: ['ATBB{an32}'], misses: ['atbb{an32}'] },
  { kind: 'atl', anchors: ['atatt3', 'atctt3'], pattern: /AT[AC]TT3[A-Za-z0-9_=-]{50,400}/y, hits: ['ATATT3{an180}'], misses: ['ATATT3{an20}'] },
  {
    kind: 'npm',
    anchors: ['npm_'],
    pattern: /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9_])/y,
    hits: ['npm_{an36}'],
    misses: ['npm_{an20}', 'npm_config_registry_of_the_project_itself'],
  },
  {
    kind: 'npm',
    anchors: ['_authtoken', '_auth=', '_auth =', '_password='],
    notAfter: /[A-Za-z0-9]/,
    pattern: /_(?:authToken|auth|password)[ \t]{0,3}=[ \t]{0,3}"?([A-Za-z0-9+/=_.:-]{8,600})/y,
    hits: ['//npm.corp.dev/:_authToken={hex32}'],
    misses: ['//npm.corp.dev/:_authToken=${NPM_TOKEN}', 'netrc_auth = get_netrc_auth(url)'],
  },
  { kind: 'pypi', anchors: ['pypi-age'], pattern: /pypi-AgE[A-Za-z0-9_-]{50,1000}/y, hits: ['pypi-AgE{url160}'], misses: ['pypi-AgE{url20}'] },
  { kind: 'gem', anchors: ['rubygems_'], pattern: /rubygems_[0-9a-f]{40,64}/y, hits: ['rubygems_{hex48}'], misses: ['rubygems_version'] },
  {
    kind: 'docker',
    anchors: ['dckr_pat_', 'dckr_oat_'],
    pattern: /dckr_[po]at_[A-Za-z0-9_-]{20,64}/y,
    hits: ['dckr_pat_{url27}'],
    misses: ['dckr_pat_{url9}'],
  },
  {
    kind: 'docker',
    anchors: ['"auth'],
    pattern: /"auth\\{0,4}"[ \t]{0,4}:[ \t]{0,4}\\{0,4}"([A-Za-z0-9+/]{12,600}={0,2})\\{0,4}"/y,
    hits: ['"auth": "{b6440}"'],
    misses: ['"auth": "basic"'],
  },
  {
    kind: 'cargo',
    anchors: ['cio'],
    pattern: /cio(?=[A-Za-z]{0,30}\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])/y,
    notAfter: /[A-Za-z0-9+/_-]/,
    hits: ['cio7{an31}'],
    misses: ['precioussecret{an32}'],
  },
];
