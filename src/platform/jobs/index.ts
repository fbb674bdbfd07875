// Owns long jobs under a lease. Promises that each is run by one process at a time, in turns among organisations, and
// goes on after a crash.
export { leasedJobs, LeasedJobRepository, type LeasedJob } from './store/leased-job.repository.js';
export { LongJobRunner } from './long-job-runner.js';
