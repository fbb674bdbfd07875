// Owns the page on which an end user finishes a Flow session. Promises one page for every link, so that it tells nothing
// about a session, and a policy under which it runs only its own scripts and calls only this service.
export { HostedPageModule } from './hosted-page.module.js';
export { ASSET_CONTENT, PageFiles } from './page-files.js';
export { sendAsset, sendPage, type PageRules } from './send-page.js';
