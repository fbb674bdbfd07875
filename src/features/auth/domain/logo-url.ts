interface Served {
  readonly publicUrl: string | null;
  readonly host: string;
  readonly port: number;
}

/** The address of the logo of an application; the service itself serves an uploaded one. */
export function logoUrlOf(
  { logoHash, logoUrl }: { readonly logoHash: string | null; readonly logoUrl: string | null },
  { publicUrl, host, port }: Served,
): string | null {
  if (logoHash === null) return logoUrl;
  return new URL(`/logos/${logoHash}.png`, publicUrl ?? `http://${host}:${port}`).href;
}
