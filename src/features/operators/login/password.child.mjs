// Child process that hashes and rates passwords. Plain JavaScript, so that it starts the same from the sources and from
// the build.
import os from 'node:os';
import { hashSync, verifySync } from '@node-rs/argon2';

/**
 * @typedef {{ kind: 'hash', password: string, options: import('@node-rs/argon2').Options }
 *   | { kind: 'verify', password: string, hash: string }
 *   | { kind: 'guesses', password: string, context: string[] }} Task
 */

// The repetition search of the library is quadratic, so only the first 64 characters are rated.
const JUDGED_LENGTH = 64;
// Logins use spare CPU time, but at a still lower priority nobody could log in to a busy machine.
const NICENESS = 10;

os.setPriority(NICENESS);

/** @type {Promise<import('@zxcvbn-ts/core').ZxcvbnFactory> | undefined} */
let estimator;

/** The dictionaries take 0.1 s to unpack, so they are loaded when the first password is chosen. */
async function loadEstimator() {
  const [{ ZxcvbnFactory }, common, portuguese] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-pt-br'),
  ]);
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...portuguese.dictionary },
    graphs: common.adjacencyGraphs,
    maxLength: JUDGED_LENGTH,
  });
}

/** @param {Task} task @returns {Promise<string | boolean | number>} */
async function perform(task) {
  switch (task.kind) {
    case 'hash':
      return hashSync(task.password, task.options);
    case 'verify':
      return verifySync(task.hash, task.password);
    case 'guesses': {
      estimator ??= loadEstimator();
      return (await estimator).check(task.password, task.context).guessesLog10;
    }
  }
}

process.on('message', async (/** @type {Task} */ task) => {
  try {
    process.send?.({ value: await perform(task) });
  } catch (error) {
    // Sends only the name: error messages of libraries may contain the password.
    process.send?.({ failure: error instanceof Error ? error.name : 'unknown error' });
  }
});
// Exits when the service exits.
process.on('disconnect', () => {
  process.exit(0);
});
