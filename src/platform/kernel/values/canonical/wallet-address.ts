const SCHEME = /^(?:bitcoin|bitcoincash|litecoin|ethereum):/i;
const EVM = /^(?:0x)?([0-9a-f]{40})$/i;
const HEXADECIMAL = /^0x[0-9a-f]+$/i;
const BECH32 =
  /^(?:bc|tb|bcrt|ltc|tltc|addr|addr_test|stake|cosmos|osmo|inj|celestia|terra|kava|akash)1[02-9ac-hj-np-z]+$/i;
const CASH_ADDRESS = /^[qp][02-9ac-hj-np-z]{41}$/i;

/**
 * The address of a wallet. In hexadecimal and bech32 the case of a letter says nothing, or is a checksum (EIP-55); in
 * base58 small and capital letters are different digits, so all other addresses stay as they are.
 */
export function walletAddress(text: string): string {
  const address = text.replace(SCHEME, '');
  const evm = EVM.exec(address)?.[1];
  if (evm !== undefined) return `0x${evm.toLowerCase()}`;
  return HEXADECIMAL.test(address) || BECH32.test(address) || CASH_ADDRESS.test(address)
    ? address.toLowerCase()
    : address;
}
