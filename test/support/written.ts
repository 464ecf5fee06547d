import { anyBelow, sample } from './samples.ts';

/**
 * How people and programs write a secret down: [family, values that it may hold, template]. `{v}` is the value,
 * `{v|url}` the value percent-encoded, `{v|b64}` in base64, `{v|json}` with JSON's escapes, `{v|xml}` with entities.
 * Values: o opaque letters and digits, x hex, b base64, u UUID, h chosen by a person, r generated with symbols, s hex of 64.
 */
export type Notation = readonly [family: string, values: string, template: string];

const WORDS = ['Garden', 'Copper', 'Meadow', 'Falcon', 'Winter', 'Basil', 'Harbor', 'Violet', 'Canyon', 'Lantern', 'Orchid', 'Summit', 'Willow', 'Tundra'];
const word = (): string => WORDS[anyBelow(WORDS.length)] as string;
const chosen = (): string => {
  const forms = [
    `${word()}${['', '-', '_', '.'][anyBelow(4)]}${word().toLowerCase()}${100 + anyBelow(9899)}${['', '!', '#'][anyBelow(3)]}`,
    `${word()}@${1000 + anyBelow(1100)}`,
    `${word().toLowerCase()}${100 + anyBelow(899)}${word()}`,
  ];
  return forms[anyBelow(forms.length)] as string;
};

const MAKE: Readonly<Record<string, () => string>> = {
  o: () => sample('{an24}'),
  x: () => sample('{hex40}'),
  b: () => `${sample('{b6443}')}=`,
  u: () => sample('{hex8}-{hex4}-4{hex3}-a{hex3}-{hex12}'),
  h: chosen,
  r: () => sample('{an5}!{an3}#%{an2}^*{an2}_-.~@+Q7'),
  s: () => sample('{hex64}'),
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const FILTERS: Readonly<Record<string, (value: string) => string>> = {
  url: encodeURIComponent,
  b64: base64,
  login64: (value) => base64(`ann:${value}`),
  json: (value) => JSON.stringify(value).slice(1, -1),
  xml: (value) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;'),
};

/** A text with a new value in it, and the value in each form that stands there. */
export function written(template: string, kind: string): { text: string; forms: string[] } {
  const value = (MAKE[kind] as () => string)();
  const forms: string[] = [];
  const text = template.replace(/\{v(?:\|(\w+))?\}/g, (_match, filter?: string) => {
    const form = filter ? (FILTERS[filter] as (value: string) => string)(value) : value;
    forms.push(form);
    return form;
  });
  return { text, forms };
}
