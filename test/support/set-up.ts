import fc from 'fast-check';

/** The inputs of property tests: the same ones in every first stage, others each time in `npm run test:all`. */
fc.configureGlobal({ seed: Number(process.env['VIGIA_SEED'] ?? 1) });
