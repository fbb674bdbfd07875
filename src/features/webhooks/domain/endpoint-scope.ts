/** The endpoints that a caller may see: operators see all of the organisation, applications only their own. */
export interface EndpointScope {
  readonly organisationId: string;
  readonly clientAppId?: string | undefined;
}
