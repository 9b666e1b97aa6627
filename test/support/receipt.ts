import { digestOf } from "#libs/contract/key.ts";
import type { Sql } from "#libs/postgres/connect.ts";

/** A payment by x402 in billing's ledger; answers its transaction. */
export async function aReceipt(sql: Sql): Promise<string> {
	const reference = `0x${digestOf("a transaction")}`;
	await sql`
		insert into payments (rail, network, payer, nonce, credential_sha256, operation, resource, amount_micro_usd, state, reference,
			request_id, finished_at)
		values ('x402', 'eip155:8453', '0xpayer', 'a nonce', ${digestOf("a credential")}, 'listProjects', ${digestOf("a question")}, 10000,
			'settled', ${reference}, 'a-request', now())
		on conflict do nothing`;
	return reference;
}
