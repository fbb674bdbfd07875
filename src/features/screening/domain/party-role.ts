/** The roles of a party in a transaction; the last two stand behind one of the others. */
export const partyRoles = ['CUSTOMER', 'ORIGIN', 'DESTINATION', 'OWNER', 'REPRESENTATIVE'] as const;
export type PartyRole = (typeof partyRoles)[number];
