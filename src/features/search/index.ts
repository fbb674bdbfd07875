// Owns the search for people, cases and payments, and the relations between customers. Promises that names are found
// without being stored in clear text, and that the search keys of a person are deleted with the person.
export { SearchModule } from './search.module.js';
export { RelationsService, type Relations } from './relations.service.js';
export { RelationsView } from './api/relations.dto.js';
