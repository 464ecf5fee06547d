import fc from 'fast-check';

// The same cases on every run, so that a change is judged by what it changes; RELAY_TEST_SEED (a whole number) draws others.
fc.configureGlobal({ seed: Number(process.env.RELAY_TEST_SEED ?? 1) });
