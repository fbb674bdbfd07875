import { changing } from '../../data/calls/change.js';

export const useChange = changing('operators', 'invitations', 'approvals', 'people');
