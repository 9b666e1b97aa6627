/** A payer by MPP on the stand-in for Tempo: with the official client, or with a transaction of their own making. */
import { Credential } from "mppx";
import { Mppx, tempo } from "mppx/client";
import { createClient, type Hex, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { Transaction } from "viem/tempo";
import { tempo as mainnet, tempoModerato } from "viem/tempo/chains";
import type { TempoStandIn } from "./tempo.ts";

type Signed = Transaction.TransactionSerializableTempo;

export type Payer = ReturnType<typeof openPayer>;

export function openPayer({ url, chainId }: Pick<TempoStandIn, "url" | "chainId">, key: Hex = generatePrivateKey()) {
	const account = privateKeyToAccount(key);
	const chain = chainId === tempoModerato.id ? tempoModerato : { ...mainnet, id: chainId };
	const client = createClient({ chain, transport: http(url, { retryCount: 0 }) });
	const mppx = Mppx.create({ polyfill: false, methods: [tempo.charge({ account, getClient: () => client })] });

	/** The transaction of a credential, changed and signed anew. */
	async function sign(credential: string, change: (transaction: Signed) => Signed): Promise<Hex> {
		const { signature, from, ...unsigned } = transactionOf(credential);
		return (await account.signTransaction(change(unsigned as Signed) as never, {
			serializer: Transaction.serialize as never,
		})) as Hex;
	}
	return {
		account,
		client,
		/** Pays whatever is asked for with 402. */
		fetch: mppx.fetch,
		/** The header's value that answers the challenge in the headers of a 402. */
		pay: (headers: Record<string, string>) => mppx.createCredential(new Response(null, { status: 402, headers })),
		sign,
		/** A credential for the same challenge with another transaction. */
		payOtherwise: async (credential: string, change: (transaction: Signed) => Signed) =>
			withPayload(credential, { type: "transaction", signature: await sign(credential, change) }),
	};
}

export const withPayload = (credential: string, payload: unknown) =>
	Credential.serialize({ ...Credential.deserialize(credential), payload });

export function serializedOf(credential: string): Hex {
	return (Credential.deserialize(credential).payload as { signature: Hex }).signature;
}

export const transactionOf = (credential: string): Signed =>
	Transaction.deserialize(serializedOf(credential) as `0x76${string}`);
