// Owns decorators by which a method registers with a lower module. Promises that each method is found and registered
// once.
export { registration, Registry, type Registration } from './registry.js';
export { RegistryModule } from './registry.module.js';
