/** Revokes a key permanently. */
import type { Handler } from "#libs/contract/index.ts";
import { revokeKey } from "../domain/keys.ts";
import type { Resources } from "../resources.ts";

export const endKey =
	({ sql, now }: Resources): Handler<"endKey"> =>
	async ({ key_id }) => ({
		json: JSON.stringify(await sql.begin((tx) => revokeKey(tx, key_id, now()))),
		dataVersion: 0,
	});
