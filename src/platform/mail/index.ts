// Owns mail to operators. Promises that `send` returns only once the mail server has accepted the message, and that no
// message is logged.
export { MailModule } from './mail.module.js';
export { Mailer, type Message } from './mailer.service.js';
