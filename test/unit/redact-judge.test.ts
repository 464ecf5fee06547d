import { describe, expect, test } from 'vitest';
import { isStandIn } from '#redact/context/judge.ts';

describe('what stands for a secret without being one', () => {
  test.each(['test1234', 'dummy-api-key-0001', 'put-your-key-here', 'sk-xxxxxxxxxxxxxxxx', 'key_xxxx_1234', '${TOKEN}'])('%s', (value) => {
    expect(isStandIn(value)).toBe(true);
  });

  // Each was drawn at random by the property tests and began, or held, what looked like a word.
  test.each([
    ['bAr', '7yISZSdMCZaBrJd'],
    ['AbC', '7aR44YMVpTdPTKfjwIrF2hMrEpzZq'],
    ['PUT', '71vf8Ju6PuTYnGTbF0WsDOTlTfGIb'],
    ['nIl', '7mxqEMi-9x'],
    ['4u467XX', 'xXYUkC4lkb4c-MVfS2k5cMJa79jdmch4JBoa'],
    ['dSU7sXfze748s', 'XXXX9RB18HkbpR2oTLz'],
  ])('a random value that begins with %s is no stand-in', (begin, rest) => {
    expect(isStandIn(begin + rest)).toBe(false);
  });
});
