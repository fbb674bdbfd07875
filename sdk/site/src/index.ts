// Owns the pages for developers. Promises to render them from the documents, the OpenAPI document and the error codes alone.
export { assetPath, AS_JSON, buildDeveloperPages, NOT_FOUND, type ServedFile } from './developer-pages.js';
export { readGuides } from './guides.js';
export { anchorOf } from './markup.js';
