/** Stands for a package's CommonJS module as loaded-once.mjs does. In the set-up of the run it stands for itself. */
export default {
  process: (source, file) => ({
    code: `if (globalThis.vigiaRequire) { module.exports = globalThis.vigiaRequire(${JSON.stringify(file)}); return; }\n${source}`,
  }),
};
