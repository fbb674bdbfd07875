const SCHEME = /^(?:bitcoin|bitcoincash|litecoin|ethereum):/i;
const EVM = /^(?:0x)?([0-9a-f]{40})$/i;
const HEXADECIMAL = /^0x[0-9a-f]+$/i;
const BECH32 =
  /^(?:bc|tb|bcrt|ltc|tltc|addr|addr_test|stake|cosmos|osmo|inj|celestia|terra|kava|akash)1[02-9ac-hj-np-z]+$/i;
const CASH_ADDRESS = /^[qp][02-9ac-hj-np-z]{41}$/i;

/**
 * Returns the canonical form of a wallet address. Hexadecimal and bech32 addresses become small letters: there, case is
 * a mere checksum (EIP-55) or has no meaning. Base58 is case-sensitive, so all other addresses stay as they are.
 */
export function canonicalWalletAddress(text: string): string {
  const address = text.replace(SCHEME, '');
  const evm = EVM.exec(address)?.[1];
  if (evm !== undefined) return `0x${evm.toLowerCase()}`;
  return HEXADECIMAL.test(address) || BECH32.test(address) || CASH_ADDRESS.test(address)
    ? address.toLowerCase()
    : address;
}
