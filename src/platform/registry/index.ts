// Owns how modules above tell those below what they have. Promises that what is told by a decorator is found, and told once.
export { registration, Registry, type Registration } from './registry.js';
export { RegistryModule } from './registry.module.js';
