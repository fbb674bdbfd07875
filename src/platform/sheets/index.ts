// The form in which a feature declares an audited subject: its actions, their order, and its acts of two people.
export { guardInserts, guardChange, guardRows, type Guard } from './guards.js';
export {
  inAnyOrder,
  sheet,
  type ActionOrder,
  type ActSheet,
  type ChangeLine,
  type SubjectSheet,
  type Words,
} from './sheet.js';
