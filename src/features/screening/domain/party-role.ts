/** The roles of a party in a transaction. An OWNER or REPRESENTATIVE belongs to one of the other parties. */
export const partyRoles = ['CUSTOMER', 'ORIGIN', 'DESTINATION', 'OWNER', 'REPRESENTATIVE'] as const;
export type PartyRole = (typeof partyRoles)[number];
