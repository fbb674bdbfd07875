// Owns mail to operators. Promises that `send` waits until the message is accepted, and that no message is logged.
export { MailModule } from './mail.module.js';
export { Mailer } from './mailer.service.js';
