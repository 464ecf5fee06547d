import { entropy } from '../judge.ts';
import type { Rule } from './rule.ts';

/** Clouds, platforms and vaults. */
export const clouds: readonly Rule[] = [
  { kind: 'aws', anchors: ['akia', 'asia', 'abia', 'acca', 'aroa', 'aida'], pattern: /(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z2-7]{16}(?![A-Za-z0-9])/y, notAfter: /[A-Za-z0-9+/]/, hits: ['AKIA{b3216}'], misses: ['AKIA{b3210}', `${'AKIA'}IOSFODNN7EXAMPLE`] },
  { kind: 'aws', anchors: ['iqojb3jpz2lu', 'fwogzxivyxdz'], pattern: /(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/=]{50,3000}/y, hits: ['IQoJb3JpZ2lu{b64200}'], misses: ['IQoJb3JpZ2lu{b6420}'] },
  { kind: 'aws', anchors: ['secret_access_key', 'secretaccesskey'], pattern: /secret_?access_?key["'\\]{0,4}[ \t]{0,8}(?::|=>|=)[ \t]{0,8}\\{0,3}["']?([A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])/iy, hits: ['aws_secret_access_key = {b6440}'], misses: ['aws_secret_access_key = {b6420}'] },
  { kind: 'gcp', anchors: ['aiza'], pattern: /AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/y, hits: ['AIza{url35}'], misses: ['AIza{url20}'] },
  { kind: 'gcp', anchors: ['ya29.'], pattern: /ya29\.[A-Za-z0-9_-]{20,2000}/y, hits: ['ya29.a0{url180}'], misses: ['ya29.a0{url5}'] },
  { kind: 'gcp', anchors: ['gocspx-'], pattern: /GOCSPX-[A-Za-z0-9_-]{20,64}/y, hits: ['GOCSPX-{url28}'], misses: ['GOCSPX-{url9}'] },
  { kind: 'gcp', anchors: ['1//0'], pattern: /1\/\/0[A-Za-z0-9_-]{40,200}/y, hits: ['1//0{url100}'], misses: ['1//0{url20}'] },
  { kind: 'az', anchors: ['q~'], pattern: /[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,36}/y, back: 4, hits: ['{an3}8Q~{an34}'], misses: ['{an3}8Q~{an10}'] },
  { kind: 'az', anchors: ['accountkey=', 'sharedaccesskey='], pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{30,100}={0,2})/y, hits: ['AccountName=logs;AccountKey={b6486}==;EndpointSuffix=core'], misses: ['AccountKey={b6412}'] },
  { kind: 'az', anchors: ['sig='], pattern: /sig=([A-Za-z0-9%+/=]{30,120})/y, notAfter: /[A-Za-z0-9_]/, check: (v) => entropy(v) > 3.5, hits: ['?sv=2023-11-03&sig={an40}%3D'], misses: ['?sig={an12}'] },
  { kind: 'sigurl', anchors: ['x-amz-signature=', 'x-goog-signature='], pattern: /X-(?:Amz|Goog)-Signature=([0-9A-Fa-f]{32,1024})/y, hits: ['X-Amz-Signature={hex64}'], misses: ['X-Amz-Signature={hex8}'] },
  { kind: 'do', anchors: ['dop_v1_', 'doo_v1_', 'dor_v1_'], pattern: /do[por]_v1_[0-9a-f]{64}/y, hits: ['dop_v1_{hex64}'], misses: ['dop_v1_{hex20}'] },
  { kind: 'heroku', anchors: ['hrku-'], pattern: /HRKU-[A-Za-z0-9_-]{36,80}/y, hits: ['HRKU-{url60}'], misses: ['HRKU-{url10}'] },
  { kind: 'ali', anchors: ['ltai'], pattern: /LTAI(?=[A-Za-z]{0,24}\d)[A-Za-z0-9]{12,26}(?![A-Za-z0-9])/y, notAfter: /[A-Za-z0-9+/]/, hits: ['LTAI5{an19}'], misses: ['LTAI{an4}'] },
  { kind: 'netlify', anchors: ['nfp_'], pattern: /nfp_[A-Za-z0-9]{36,64}/y, hits: ['nfp_{an36}'], misses: ['nfp_{an12}'] },
  { kind: 'supabase', anchors: ['sbp_'], pattern: /sbp_[0-9a-f]{40}/y, hits: ['sbp_{hex40}'], misses: ['sbp_{hex12}'] },
  { kind: 'supabase', anchors: ['sb_secret_'], pattern: /sb_secret_[A-Za-z0-9_-]{20,64}/y, hits: ['sb_secret_{url31}'], misses: ['sb_secret_{url7}'] },
  { kind: 'pscale', anchors: ['pscale_'], pattern: /pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,80}/y, hits: ['pscale_tkn_{an43}'], misses: ['pscale_tkn_{an5}'] },
  { kind: 'tf', anchors: ['.atlasv1.'], pattern: /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}/y, back: 14, hits: ['{an14}.atlasv1.{an67}'], misses: ['{an14}.atlasv1.{an7}'] },
  { kind: 'vault', anchors: ['hvs.', 'hvb.', 'hvr.'], pattern: /hv[sbr]\.[A-Za-z0-9_-]{24,300}/y, hits: ['hvs.{url95}'], misses: ['hvs.{url9}'] },
  { kind: 'fly', anchors: ['fm1_', 'fm2_', 'fo1_'], pattern: /f[mo][12]_[A-Za-z0-9+/=_-]{40,1000}/y, hits: ['fm2_{b64140}'], misses: ['fm2_{b6410}'] },
  { kind: 'dbx', anchors: ['dapi'], pattern: /dapi[0-9a-f]{32}(?:-\d)?(?![0-9a-f])/y, hits: ['dapi{hex32}'], misses: ['dapi{hex12}'] },
  { kind: 'pulumi', anchors: ['pul-'], pattern: /pul-[0-9a-f]{40}/y, hits: ['pul-{hex40}'], misses: ['pul-{hex8}'] },
  { kind: 'doppler', anchors: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'], pattern: /dp\.(?:pt|st|ct|sa)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}/y, hits: ['dp.pt.{an43}'], misses: ['dp.pt.{an9}'] },
  { kind: 'op', anchors: ['ops_ey'], pattern: /ops_ey[A-Za-z0-9+/=_-]{80,2000}/y, hits: ['ops_ey{b64300}'], misses: ['ops_ey{b6420}'] },
  { kind: 'age', anchors: ['age-secret-key-1'], pattern: /AGE-SECRET-KEY-1[A-Z0-9]{58}/y, hits: ['AGE-SECRET-KEY-1{up58}'], misses: ['AGE-SECRET-KEY-1{up9}'] },
  { kind: 'kube', anchors: ['client-key-data'], pattern: /client-key-data\\{0,4}"?[ \t]{0,4}:[ \t]{0,4}\\{0,4}"?([A-Za-z0-9+/=]{40,8000})/y, hits: ['client-key-data: {b64400}'], misses: ['client-key-data: {b6412}'] },
];
