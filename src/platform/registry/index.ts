// Owns the decorators that register methods with a module below. Promises that each is found, and registered once.
export { registration, Registry, type Registration } from './registry.js';
export { RegistryModule } from './registry.module.js';
