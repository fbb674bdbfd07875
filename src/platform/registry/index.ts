// Owns decorators by which methods register with a lower module. Promises that each is found and registered once.
export { registration, Registry } from './registry.js';
export { RegistryModule } from './registry.module.js';
