import { family } from './family.ts';
import type { Rule } from './rule.ts';

/** Monitoring, analytics, feature flags and data pipelines. */
export const monitoring: readonly Rule[] = [
  {
    kind: 'newrelic',
    anchors: ['nrak-', 'nrii-', 'nrjs-', 'nriq-', 'nrra-', 'nraa-'],
    pattern: /NR(?:AK|II|JS|IQ|RA|AA)-[A-Za-z0-9_-]{18,60}/y,
    hits: ['NRAK-{up27}'],
    misses: ['NRAK-{up5}'],
  },
  { kind: 'newrelic', anchors: ['nral'], pattern: /[0-9a-f]{36}NRAL(?![A-Za-z0-9])/y, back: 36, hits: ['{hex36}NRAL'], misses: ['{hex20}NRAL'] },
  {
    kind: 'sentry',
    anchors: ['sntrys_', 'sntryu_', 'sntrya_', 'sntryi_'],
    pattern: /sntry[suai]_[A-Za-z0-9+/=_-]{40,400}/y,
    hits: ['sntrys_{b64120}', 'sntryu_{hex64}'],
    misses: ['sntrys_{b645}'],
  },
  { kind: 'grafana', anchors: ['glsa_', 'glc_'], pattern: /gl(?:sa|c)_[A-Za-z0-9+/=_]{30,400}/y, hits: ['glsa_{an32}_{hex8}'], misses: ['glsa_{an5}'] },
  ...family('grafana', 'eyJrIjoi{b6440-380}'),
  {
    kind: 'posthog',
    anchors: ['phx_', 'phs_', 'pha_', 'phr_'],
    pattern: /ph[xsar]_[A-Za-z0-9_-]{36,60}/y,
    check: (v) => /\d/.test(v),
    hits: ['phx_{an43}', 'phx_{url47}'],
    misses: ['phx_{an5}'],
  },
  ...family('dynatrace', 'dt0c01.{up24}.{up64}', 'dt0s01.{up8-24}.{up64}', 'dt0s02.{up8-24}.{up64}', 'dt0s03.{up8-24}.{up64}', 'dt0s16.{up8-24}.{up64}'),
  ...family('honeycomb', 'hcaik_{low58}', 'hcbik_{low58}', 'hcxik_{low58}', 'hcamk_{low58}', 'hcxmk_{low58}', 'hcalk_{low58}', 'hcxlk_{low58}'),
  ...family('axiom', 'xaat-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}', 'xapt-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}'),
  ...family('datadog', 'ddapp_{an34-48}', 'ddpat_{an30-80}'),
  ...family('pagerduty', 'u+{url18}', 'pdus+_{an20-40}_{hex8-64}', 'pdeu+_{an20-40}_{hex8-64}'),
  ...family('checkly', 'cu_{hex32}', 'su_{hex32}'),
  ...family('ld', 'sdk-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}', 'api-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}', 'mob-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}'),
  ...family('ld', 'rel-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}'),
  ...family('statsig', 'secret-{an40-46}', 'console-{an40-46}'),
  ...family('growthbook', 'secret_user_{an20-60}', 'secret_admin_{an20-60}', 'secret_readonly_{an20-60}', 'secret_{an24-70}'),
  {
    kind: 'configcat',
    anchors: ['configcat-sdk-1/'],
    pattern: /configcat-sdk-1\/([\w-]{22}\/[\w-]{22})/y,
    hits: ['configcat-sdk-1/{url22}/{url22}'],
    misses: ['configcat-sdk-1/{url9}'],
  },
  {
    kind: 'unleash',
    anchors: [':development.', ':production.'],
    pattern: /:(?:\w{2,20}|\*)\.([0-9a-f]{50,64})(?![0-9a-f])/y,
    hits: ['default:development.{hex56}'],
    misses: ['a:production.{hex20}'],
  },
  ...family('flagsmith', 'ser.{an20-24}'),
  ...family('prefect', 'pnu_{an36}', 'pnb_{an36}'),
  ...family('dbt', 'dbtc_{url30-60}', 'dbtu_{url30-60}'),
  ...family('infracost', 'ico-{an32}'),
];
