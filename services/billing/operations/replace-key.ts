/** Replaces a live key by a new one; the old key works until its grace ends. */
import type { Handler } from "#libs/contract/index.ts";
import { replaceKeyBy } from "../domain/keys.ts";
import type { Resources } from "../resources.ts";

export const replaceKey =
	({ sql, now }: Resources): Handler<"replaceKey"> =>
	async ({ key_id: keyId, grace_seconds: graceSeconds, ...by }) => {
		const replaced = await sql.begin((tx) => replaceKeyBy(tx, { keyId, by, graceSeconds, at: now() }));
		return { json: JSON.stringify(replaced), dataVersion: 0 };
	};
