import { createRequire } from 'node:module';
import path from 'node:path';
import { TestEnvironment } from 'jest-environment-node';
import { marksOf } from '../stages.mjs';

const require = createRequire(import.meta.url);

/**
 * Jest gives each test file a world of its own and loads every module anew in it: a thousand for an application, 2.3 s a
 * file. The product's modules and those of packages are loaded once per worker here, by Node itself; see loaded-once.mjs.
 */
export default class SharedModules extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.options = config.projectConfig.testEnvironmentOptions;
    this.marks = marksOf(
      process.env.VIGIA_PART,
      path.relative(config.projectConfig.rootDir, context.testPath),
    );
  }

  /** A file that runs again in a part leaves out what has run already: see `again` and `promised` in needs.ts. */
  handleTestEvent({ name }, { currentDescribeBlock, rootDescribeBlock }) {
    if (this.marks === null) return;
    if (name === 'add_test') currentDescribeBlock.children.at(-1).vigiaMarks = this.global.vigiaMark ?? '';
    if (name === 'run_start') keepMarked(rootDescribeBlock, this.marks);
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

const testsOf = (block) =>
  block.children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)));

/** Keeps the tests with one of the marks; all where none has one. A block without tests runs none of its hooks. */
function keepMarked(root, marks) {
  const isMarked = ({ vigiaMarks }) => vigiaMarks.split(' ').some((mark) => marks.includes(mark));
  if (!testsOf(root).some(isMarked)) return;
  const prune = (block) => {
    block.children = block.children.filter((child) => child.type !== 'test' || isMarked(child));
    for (const child of block.children) if (child.type !== 'test') prune(child);
  };
  prune(root);
}
