interface ServiceAddress {
  readonly publicUrl: string | null;
  readonly host: string;
  readonly port: number;
}

/** Returns the URL of an application's logo: of this service if a logo was uploaded, otherwise `logoUrl`. */
export function logoUrlOf(
  { logoHash, logoUrl }: { readonly logoHash: string | null; readonly logoUrl: string | null },
  { publicUrl, host, port }: ServiceAddress,
): string | null {
  if (logoHash === null) return logoUrl;
  return new URL(`/logos/${logoHash}.png`, publicUrl ?? `http://${host}:${port}`).href;
}
