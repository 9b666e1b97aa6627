/** Issues a free key for an e-mail address: opens an account, or uses the existing one if it has no key in use. */
import type { Handler } from "#libs/contract/index.ts";
import { openAccount, registerAgain } from "../domain/accounts.ts";
import type { Resources } from "../resources.ts";

export const issueKey =
	({ sql, now }: Resources): Handler<"issueKey"> =>
	async ({ email, name, ...key }) => {
		const at = now();
		const issued = await sql.begin(
			async (tx) =>
				(await openAccount(tx, { email, name, plan: "Free", key, registered: true, at })) ??
				(await registerAgain(tx, { email, key, at })),
		);
		return { json: JSON.stringify(issued), dataVersion: 0 };
	};
