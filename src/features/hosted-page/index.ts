// Owns the page on which an end user completes a Flow session. Promises that the page is the same for every link, so that
// it reveals nothing about a session, and that its policy allows only its own scripts and calls to this service.
export { HostedPageModule } from './hosted-page.module.js';
export { ASSET_CONTENT, PageFiles } from './page-files.js';
export { sendAsset, sendPage, type PageRules } from './send-page.js';
