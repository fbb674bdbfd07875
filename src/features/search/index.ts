// Owns how operators find people, cases and payments, and who has to do with whom. Promises that names are found without
// being stored in clear, and that what finds a person goes when the person is erased.
export { SearchModule } from './search.module.js';
export { RelationsService, type Relations } from './relations.service.js';
export { RelationsView } from './api/relations.dto.js';
