// `node --import ./test/support/register.mjs FILE` runs TypeScript as it stands, also in threads and child processes.
import * as module from 'node:module';
import * as hooks from './typescript-hooks.mjs';

// Node 20 knows only the hooks that run in a thread of their own.
if (module.registerHooks) module.registerHooks(hooks);
else module.register('./typescript-hooks.mjs', import.meta.url);
