/**
 * Who signed what, remembered for a while: a chain is asked what a transaction would do and is then sent it, and to find out the signer
 * takes longer than everything else that the stand-in does.
 */
import { type Address, type Hex, hashTypedData, recoverAddress, type TypedDataDefinition } from "viem";

/** Simulated, and perhaps never sent. */
const maxKept = 1_000;

/** The signer by one EIP-712 domain; undefined if the signature is invalid. */
export type SignerOf = (typed: TypedDataDefinition, signature: Hex) => Promise<Address | undefined>;

export function rememberSigners(): SignerOf {
	const known = new Map<string, Address>();
	return async (typed, signature) => {
		try {
			const key = [typed.primaryType, ...Object.values(typed.message), signature].join(" ");
			const before = known.get(key);
			if (before !== undefined) return before;
			const signer = await recoverAddress({ hash: hashTypedData(typed), signature });
			known.set(key, signer);
			for (const oldest of known.keys()) {
				if (known.size <= maxKept) break;
				known.delete(oldest);
			}
			return signer;
		} catch {
			return undefined;
		}
	};
}
