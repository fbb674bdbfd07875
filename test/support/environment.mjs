import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const require = createRequire(import.meta.url);

/**
 * Jest gives each test file a world of its own and loads every module anew in it: a thousand for an application, 2.3 s a
 * file. The product's modules and those of packages are loaded once per worker here, by Node itself; see loaded-once.mjs.
 */
export default class SharedModules extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.options = config.projectConfig.testEnvironmentOptions;
  }

  async setup() {
    await super.setup();
    this.global.vigiaModule = (url) => import(url);
    this.global.vigiaRequire = require;
    if (!this.options.oneWorld) return;
    // What is compared by identity, or changed by a package that both worlds use, is one in both.
    Object.assign(this.global, {
      JSON,
      Reflect,
      Error,
      TypeError,
      RangeError,
      SyntaxError,
      AggregateError,
      Date,
      Map,
      Set,
      process,
    });
  }
}
