// Owns the demo organisation and its traffic. Promises that none of it is made in production.
export { clearDemo } from './demo-clear.command.js';
export { demoLogin, demoSignIn } from './demo-sign-in.js';
export { runDemo } from './demo.command.js';
export { prepareSandbox } from './sandbox.command.js';
export { seedDemo } from './seed-demo.js';
