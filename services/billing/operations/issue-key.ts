/** Opens a free account with its key, for an e-mail address that is not verified. */
import type { Handler } from "#libs/contract/index.ts";
import { registerAccount } from "../domain/accounts.ts";
import type { Resources } from "../resources.ts";

export const issueKey =
	({ sql, now }: Resources): Handler<"issueKey"> =>
	async ({ email, name, ...key }) => {
		const issued = await sql.begin((tx) => registerAccount(tx, { email, name, key, at: now() }));
		return { json: JSON.stringify(issued), dataVersion: 0 };
	};
