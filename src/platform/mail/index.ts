// Owns mail to operators. Promises that a message is handed over before its sender goes on, and stands in no log.
export { MailModule } from './mail.module.js';
export { Mailer, type Message } from './mailer.service.js';
