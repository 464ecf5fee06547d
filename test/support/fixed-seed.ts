import fc from 'fast-check';

// The same cases on every run, so that a change is judged by what it changes; RELAY_TEST_SEED (a whole number) draws others.
const seed = Number(process.env.RELAY_TEST_SEED ?? 1);
if (!Number.isInteger(seed)) throw new Error('RELAY_TEST_SEED is a whole number');
fc.configureGlobal({ seed });
